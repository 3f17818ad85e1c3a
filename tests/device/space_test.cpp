// Spaces of CUDA's driver and of HIP, as tests/device/fake plays them.
#include "device/space.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "device/copies.hpp"
#include "device/library.hpp"
#include "device/pinned.hpp"
#include "device/runtime.hpp"

namespace hopbine::device {
namespace {

constexpr std::size_t kBytes = 3 << 20;

std::vector<char> counted(std::size_t bytes) {
    std::vector<char> out(bytes);
    for (std::size_t i = 0; i < bytes; ++i) out[i] = static_cast<char>(i * 31 + i / 251);
    return out;
}

/// A library, and how to read its memory.
struct Tried {
    void* (*allocate)(std::size_t, int) = nullptr;
    void* (*readable)(const void*) = nullptr;
    void (*reset)() = nullptr;
    int (*pins)() = nullptr;
    int (*depth)() = nullptr;
    Library* library = nullptr;
};

Tried& fake(const std::string& file, Library* (*open)(void*)) {
    static std::map<std::string, Tried> all;
    const auto [at, is_new] = all.try_emplace(file);
    Tried& out = at->second;
    void* const handle = is_new ? dlopen((std::string(HOPBINE_FAKE_DEVICES "/") + file).c_str(),
                                         RTLD_NOW | RTLD_LOCAL)
                                : nullptr;
    if (!handle) return out;
    *reinterpret_cast<void**>(&out.allocate) = dlsym(handle, "fake_alloc");
    *reinterpret_cast<void**>(&out.readable) = dlsym(handle, "fake_twin");
    *reinterpret_cast<void**>(&out.reset) = dlsym(handle, "fake_reset");
    *reinterpret_cast<void**>(&out.pins) = dlsym(handle, "fake_pins");
    *reinterpret_cast<void**>(&out.depth) = dlsym(handle, "fake_depth");
    out.library = open(handle);
    return out;
}

Tried& cuda() { return fake("libcuda.so.1", cuda_library); }
Tried& hip() { return fake("libamdhip64.so.6", hip_library); }

class SpaceOf : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        tried_ = GetParam() == std::string("cuda") ? &cuda() : &hip();
        ASSERT_NE(tried_->library, nullptr);
        first_ = tried_->allocate(1, 0);
        ASSERT_TRUE(tried_->library->on_device(first_));
        space_ = tried_->library->space_of(first_);
        ASSERT_NE(space_, nullptr);
    }
    void TearDown() override { EXPECT_EQ(tried_->depth(), 0) << "a context was left behind"; }

    Tried* tried_ = nullptr;
    Space* space_ = nullptr;
    void* first_ = nullptr;
};

TEST_P(SpaceOf, CopiesThereAndBackInOrder) {
    const std::vector<char> from = counted(kBytes);
    std::vector<char> back(kBytes);
    void* const there = tried_->allocate(kBytes, 0);
    const Stream stream = space_->make_stream();
    ASSERT_TRUE(space_->copy(there, from.data(), kBytes, Direction::to_device, stream));
    ASSERT_TRUE(space_->copy(back.data(), there, kBytes, Direction::to_host, stream));
    EXPECT_TRUE(space_->wait(stream));
    EXPECT_EQ(back, from);
    EXPECT_EQ(std::memcmp(tried_->readable(there), from.data(), kBytes), 0);
}

TEST_P(SpaceOf, CopiesInChunksAlsoAfterTheDeviceWasReset) {
    Runtime::get().loaded();
    void* const memory = tried_->allocate(kBytes, 0);
    const std::vector<char> from = counted(kBytes);
    for (const bool reset : {false, true}) {
        std::vector<char> back(kBytes);
        if (reset) tried_->reset();
        Copies copies;
        copies.to_device(memory, from.data(), kBytes);
        EXPECT_TRUE(copies.wait());
        copies.to_host(back.data(), memory, kBytes);
        EXPECT_TRUE(copies.wait());
        EXPECT_EQ(back, from);
    }
}

TEST_P(SpaceOf, RefusesCopiesAcrossTheEndOfMemory) {
    void* const memory = tried_->allocate(4096, 0);
    std::vector<char> host(8192);
    Copies copies;
    copies.to_host(host.data(), memory, host.size());
    EXPECT_FALSE(copies.wait());
}

TEST_P(SpaceOf, KeepsPinnedMemoryForLaterCalls) {
    const int before = tried_->pins();
    {
        const Pinned one(kBytes, *space_), other(kBytes, *space_);
    }
    const int after = tried_->pins();
    EXPECT_GE(after, before);
    for (int i = 0; i < 10; ++i) {
        const Pinned one(kBytes - static_cast<std::size_t>(i), *space_);
        std::memset(one.begin(), i, kBytes - 10);
    }
    EXPECT_EQ(tried_->pins(), after);
    {
        const Pinned large(300 << 20, *space_);
    }
    EXPECT_EQ(tried_->pins(), after) << "more is kept than the pool may";
}

TEST_P(SpaceOf, SeesManagedMemoryAsTheHosts) {
    EXPECT_FALSE(tried_->library->on_device(tried_->allocate(4096, 1)));
    int own = 0;
    EXPECT_FALSE(tried_->library->on_device(&own));
}

INSTANTIATE_TEST_SUITE_P(All, SpaceOf, testing::Values("cuda", "hip"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace hopbine::device
