// Memory of another process's device, as tests/device/fake plays it: the other process is a copy of
// this one.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "device/library.hpp"
#include "device/space.hpp"

namespace hopbine::device {
namespace {

constexpr std::size_t kHandled = 2 << 20;

std::vector<char> counted_by(int by) {
    std::vector<char> out(kHandled);
    for (std::size_t i = 0; i < kHandled; ++i)
        out[i] = static_cast<char>(i * static_cast<std::size_t>(by) + i / 251);
    return out;
}

class HandlesOf : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        const bool cuda = GetParam() == std::string("cuda");
        const std::string file = cuda ? "/libcuda.so.1" : "/libamdhip64.so.6";
        void* const handle = dlopen((HOPBINE_FAKE_DEVICES + file).c_str(), RTLD_NOW | RTLD_LOCAL);
        ASSERT_NE(handle, nullptr);
        auto* const allocate =
            reinterpret_cast<void* (*)(std::size_t, int)>(dlsym(handle, "fake_alloc"));
        peer_bytes_ = reinterpret_cast<long (*)()>(dlsym(handle, "fake_peer_bytes"));
        Library* const library = cuda ? cuda_library(handle) : hip_library(handle);
        ASSERT_NE(library, nullptr);
        memory_ = allocate(kHandled, 0);
        space_ = library->about(memory_).space;
        ASSERT_NE(space_, nullptr);
    }
    void TearDown() override {
        if (memory_) space_->free(memory_);
    }
    bool put(const std::vector<char>& data) {
        const Stream stream = space_->make_stream();
        return space_->copy(memory_, data.data(), kHandled, Direction::to_device, stream) &&
               space_->wait(stream);
    }
    /// Whether another process finds `good` to hold.
    template <class F>
    static bool elsewhere(const F& good) {
        const pid_t child = fork();
        if (child == 0) _exit(good() ? 0 : 1);
        int status = -1;
        waitpid(child, &status, 0);
        return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }

    Space* space_ = nullptr;
    void* memory_ = nullptr;
    long (*peer_bytes_)() = nullptr;
};

TEST_P(HandlesOf, LetAnotherProcessCopyFromTheMemory) {
    const std::vector<char> data = counted_by(31);
    ASSERT_TRUE(put(data));
    ASSERT_TRUE(space_->has_handles());
    Handle handle;
    ASSERT_TRUE(space_->make_handle(memory_, &handle));
    EXPECT_TRUE(elsewhere([&] {
        void *const opened = space_->open(handle), *const own = space_->allocate(kHandled);
        const Stream stream = space_->make_stream();
        std::vector<char> found(kHandled);
        return opened && own && opened != memory_ &&
               space_->copy(own, opened, kHandled, Direction::within, stream) &&
               space_->copy(found.data(), own, kHandled, Direction::to_host, stream) &&
               space_->wait(stream) && found == data && peer_bytes_() == kHandled &&
               space_->close(opened) && !space_->close(opened);
    }));
}

TEST_P(HandlesOf, OpenOnceAndNotInTheirOwnProcess) {
    Handle handle;
    ASSERT_TRUE(space_->make_handle(memory_, &handle));
    EXPECT_EQ(space_->open(handle), nullptr);
    EXPECT_TRUE(elsewhere([&] {
        void* const first = space_->open(handle);
        if (!first || space_->open(handle) || !space_->close(first)) return false;
        void* const again = space_->open(handle);
        return again && space_->close(again);
    }));
}

TEST_P(HandlesOf, AreNotMadeOfOtherMemory) {
    Handle handle;
    int own = 0;
    EXPECT_FALSE(space_->make_handle(&own, &handle));
    EXPECT_TRUE(elsewhere([&] {
        Handle of_opened;
        void* const opened = space_->make_handle(memory_, &handle) ? memory_ : nullptr;
        return opened && !space_->close(opened) && !space_->make_handle(&own, &of_opened);
    }));
}

/// What CUDA leaves undefined ends the process here.
TEST_P(HandlesOf, KeepTheMemoryWhileItIsOpen) {
    Handle handle;
    ASSERT_TRUE(space_->make_handle(memory_, &handle));
    ASSERT_TRUE(elsewhere([&] { return space_->open(handle) != nullptr; }));  // never closed
    EXPECT_DEATH(space_->free(memory_), "memory is freed that another process has open");
    memory_ = nullptr;
}

INSTANTIATE_TEST_SUITE_P(All, HandlesOf, testing::Values("cuda", "hip"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace hopbine::device
