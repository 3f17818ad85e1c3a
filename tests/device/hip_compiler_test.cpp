// Kernels that are compiled at run time: what is given to the compiler, and what it makes.
#include "device/hip_compiler.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "device/kernels/image.hpp"

namespace hopbine::device {
namespace {

void* fake_hip() { return dlopen(HOPBINE_FAKE_DEVICES "/libamdhip64.so.6", RTLD_NOW | RTLD_LOCAL); }

TEST(HipCompiler, IsFoundBesideHipAndCompilesAnElement) {
    HipCompiler compiler;
    std::string why;
    ASSERT_TRUE(compiler.open(fake_hip()));
    EXPECT_STREQ(compiler.compile("f32", &why).c_str(), "code of f32");
    EXPECT_EQ(why, "");
}

TEST(HipCompiler, TellsWhatTheCompilerSays) {
    HipCompiler compiler;
    std::string why;
    ASSERT_TRUE(compiler.open(fake_hip()));
    setenv("HOPBINE_TEST_COMPILER", "broken", 1);
    EXPECT_EQ(compiler.compile("f32", &why), "");
    unsetenv("HOPBINE_TEST_COMPILER");
    EXPECT_EQ(why, "it is broken");
}

TEST(HipCompiler, IsNoneBesideAnotherLibrary) {
    HipCompiler compiler;
    EXPECT_FALSE(
        compiler.open(dlopen(HOPBINE_FAKE_DEVICES "/libcuda.so.1", RTLD_NOW | RTLD_LOCAL)));
    EXPECT_FALSE(compiler.usable());
}

/// What hiprtc has built in, for a compiler of C++.
constexpr const char* kBuiltIn = R"(
#define __global__
#define __device__
#define __shared__ static
#define __forceinline__ inline
#define __launch_bounds__(threads)
#define __syncthreads()
#define __threadfence_system() ((void)0)
typedef short _Half;
#define _Float16 _Half
static struct { unsigned x; } blockIdx, threadIdx, blockDim, gridDim;
)";

TEST(HipCompiler, SourcesAreWholeAndCompileForElementsOfEachKind) {
    const std::filesystem::path folder = testing::TempDir() + "/hopbine_sources";
    std::filesystem::create_directories(folder);
    for (const KernelSource& one : kernel_sources()) std::ofstream(folder / one.name) << one.text;
    std::ofstream(folder / "built_in.h") << kBuiltIn;
    for (const std::string element : {"u8", "f64", "bf16", "f16"}) {
        const std::string command =
            "cd '" + folder.string() +
            "' && c++ -x c++ -std=c++17 -fsyntax-only -Werror=return-type -D__HIPCC_RTC__ "
            "-include built_in.h -DHOPBINE_ELEMENT=" +
            element + " reductions.cu";
        EXPECT_EQ(std::system(command.c_str()), 0) << command;
    }
}

}  // namespace
}  // namespace hopbine::device
