// Spaces of CUDA's driver and of HIP, as tests/device/fake plays them.
#include "device/space.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "device/chunks.hpp"
#include "device/copies.hpp"
#include "device/library.hpp"
#include "device/node_turns.hpp"
#include "device/pinned.hpp"
#include "device/runtime.hpp"
#include "runtime/kernels.hpp"

namespace hopbine::device {
namespace {

constexpr std::size_t kSpace = 3 << 20;

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
    int (*events)() = nullptr;
    int (*depth)() = nullptr;
    struct Kernel;
    const Kernel* (*find_kernel)(const char*) = nullptr;
    std::size_t (*width)(const Kernel*) = nullptr;
    void (*run_kernel)(const Kernel*, const hopbine_operands*, void*, unsigned long long,
                       const unsigned*) = nullptr;
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
    *reinterpret_cast<void**>(&out.events) = dlsym(handle, "fake_events");
    *reinterpret_cast<void**>(&out.depth) = dlsym(handle, "fake_depth");
    *reinterpret_cast<void**>(&out.find_kernel) = dlsym(handle, "fake_kernel");
    *reinterpret_cast<void**>(&out.width) = dlsym(handle, "fake_width");
    *reinterpret_cast<void**>(&out.run_kernel) = dlsym(handle, "fake_run");
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
        ASSERT_TRUE(tried_->library->about(first_).on_device);
        space_ = tried_->library->about(first_).space;
        ASSERT_NE(space_, nullptr);
    }
    void TearDown() override {
        EXPECT_EQ(tried_->depth(), 0) << "a context was left behind";
        EXPECT_EQ(tried_->events(), 0) << "an event was left behind";
    }

    Tried* tried_ = nullptr;
    Space* space_ = nullptr;
    void* first_ = nullptr;
};

TEST_P(SpaceOf, CopiesThereAndBackInOrder) {
    const std::vector<char> from = counted(kSpace);
    std::vector<char> back(kSpace);
    void* const there = tried_->allocate(kSpace, 0);
    const Stream stream = space_->make_stream();
    ASSERT_TRUE(space_->copy(there, from.data(), kSpace, Direction::to_device, stream));
    ASSERT_TRUE(space_->copy(back.data(), there, kSpace, Direction::to_host, stream));
    EXPECT_TRUE(space_->wait(stream));
    EXPECT_EQ(back, from);
    EXPECT_EQ(std::memcmp(tried_->readable(there), from.data(), kSpace), 0);
}

TEST_P(SpaceOf, WaitsForAPointInAStream) {
    const std::vector<char> from = counted(kSpace);
    const Stream stream = space_->make_stream();
    char* const there = static_cast<char*>(tried_->allocate(kSpace, 0));
    std::vector<Event> events;
    for (std::size_t at = 0; at < kSpace; at += kChunk) {
        ASSERT_TRUE(
            space_->copy(there + at, from.data() + at, kChunk, Direction::to_device, stream));
        events.push_back(space_->mark(stream));
        ASSERT_NE(events.back(), nullptr);
    }
    for (std::size_t i = 0; i < events.size(); ++i) {
        EXPECT_TRUE(space_->wait_for(events[i]));
        EXPECT_EQ(
            std::memcmp(tried_->readable(there + i * kChunk), from.data() + i * kChunk, kChunk), 0);
    }
    EXPECT_TRUE(space_->wait(stream));
    int unknown = 0;
    EXPECT_EQ(space_->mark(&unknown), nullptr);
}

TEST_P(SpaceOf, CopiesChunksWhenTheyAreAskedForAndWhenTheyAreFinal) {
    constexpr std::size_t kLast = 1000, kAll = 2 * kChunk + kLast;
    Runtime::get().loaded();
    std::vector<char> host(kAll, 1), device = counted(kAll);
    char* const there = static_cast<char*>(tried_->allocate(kAll, 0));
    char* const now = static_cast<char*>(tried_->readable(there));
    std::memcpy(now, device.data(), kAll);
    Copies copies;
    {
        Chunks chunks(copies, *space_, host.data(), there, kAll, true);
        chunks.wait_for(kChunk - 1, 2);
        EXPECT_EQ(std::memcmp(host.data(), device.data(), 2 * kChunk), 0);
        EXPECT_EQ(host[2 * kChunk], 1) << "nobody has asked for it";
        std::fill_n(host.data(), 2 * kChunk, char{5});
        chunks.finish(10, kChunk - 10);  // not the first ten
        EXPECT_TRUE(copies.wait());
        EXPECT_EQ(now[kChunk - 1], device[kChunk - 1]);
        chunks.finish(0, 10);
        EXPECT_TRUE(copies.wait());
        EXPECT_EQ(std::memcmp(now, host.data(), kChunk), 0);
        chunks.finish_rest();
        EXPECT_TRUE(copies.wait());
        EXPECT_EQ(std::memcmp(now, host.data(), 2 * kChunk), 0);
        EXPECT_EQ(std::memcmp(now + 2 * kChunk, device.data() + 2 * kChunk, kLast), 0);
        chunks.fetch(2 * kChunk, kLast);  // nobody waits for it
    }
    EXPECT_TRUE(copies.wait());
}

TEST_P(SpaceOf, CopiesWithinItsMemory) {
    const std::vector<char> from = counted(kSpace);
    void *const one = space_->allocate(kSpace), *const other = space_->allocate(kSpace);
    const Stream stream = space_->make_stream();
    ASSERT_TRUE(tried_->library->about(one).on_device);
    ASSERT_TRUE(space_->copy(one, from.data(), kSpace, Direction::to_device, stream));
    ASSERT_TRUE(space_->copy(other, one, kSpace, Direction::within, stream));
    ASSERT_TRUE(space_->wait(stream));
    EXPECT_EQ(std::memcmp(tried_->readable(other), from.data(), kSpace), 0);
    space_->free(one);
    space_->free(other);
    EXPECT_FALSE(tried_->library->about(one).on_device);
}

/// Where hopbine was built with kernels for the library.
TEST_P(SpaceOf, ReducesByKernels) {
    constexpr std::size_t n = 100001;
    EXPECT_FALSE(space_->has_kernel("sum_of_nothing"));
    if (!space_->has_kernel("sum_i32")) GTEST_SKIP() << "no kernels were built";
    auto *const in = static_cast<std::int32_t*>(space_->allocate(n * 4)),
                *const out = static_cast<std::int32_t*>(space_->allocate(n * 4));
    auto* const here = static_cast<std::int32_t*>(tried_->readable(in));
    auto* const there = static_cast<std::int32_t*>(tried_->readable(out));
    for (std::size_t i = 0; i < n; ++i) here[i] = static_cast<int>(i), there[i] = 7;
    const Stream stream = space_->make_stream();
    ASSERT_TRUE(space_->reduce("sum_i32", in, out, n, 4, stream));
    ASSERT_TRUE(space_->wait(stream));
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(there[i], static_cast<int>(i) + 7);
    EXPECT_FALSE(space_->reduce("sum_of_nothing", in, out, n, 4, stream));
}

TEST_P(SpaceOf, ReducesSeveralByOneKernel) {
    constexpr std::size_t n = 100001;
    if (!space_->has_kernel("sum_i32")) GTEST_SKIP() << "no kernels were built";
    hopbine_operands of{.at = {}, .count = 4, .sum_is_left = 1};
    for (unsigned k = 0; k < of.count; ++k) {
        of.at[k] = space_->allocate(n * 4);
        auto* const here = static_cast<std::int32_t*>(tried_->readable(of.at[k]));
        for (std::size_t i = 0; i < n; ++i) here[i] = static_cast<int>(i << 4 * k);
    }
    auto* const out = const_cast<void*>(of.at[3]);
    auto* const there = static_cast<std::int32_t*>(tried_->readable(out));
    const Stream stream = space_->make_stream();
    ASSERT_TRUE(space_->reduce_several("sum_i32", of, out, n, 4, stream));
    ASSERT_TRUE(space_->wait(stream));
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(there[i], static_cast<int>(i * 0x1111));
    EXPECT_FALSE(space_->reduce_several("sum_of_nothing", of, out, n, 4, stream));
}

/// Numbers that are no NaN: which one of two remains is the compiler's choice.
std::vector<char> numbers(std::size_t bytes, bool floating) {
    std::vector<char> out = counted(bytes);
    for (char& c : out) c = static_cast<char>(floating ? c & 0x3f : c);
    return out;
}

/// The source of the kernels, run by the CPU, against the loops of calls on host memory: for
/// addresses that are aligned, that are not, and that are never aligned together.
TEST(DeviceKernels, GiveTheBitsOfTheLoops) {
    using mpi::Element, mpi::Operation;
    constexpr std::size_t kMost = 300, kRoom = 8 * (kMost + 4);
    const unsigned grid[2] = {3, 16};
    for (int op = 0; op <= static_cast<int>(Operation::bit_xor); ++op)
        for (int e = 0; e <= static_cast<int>(Element::bf16); ++e) {
            const auto operation = static_cast<Operation>(op);
            const auto element = static_cast<Element>(e);
            const mpi::Kernel loop = mpi::kernel(operation, element);
            const char* const name = mpi::kernel_name(operation, element);
            ASSERT_EQ(loop != nullptr, name != nullptr);
            if (!loop) continue;
            const auto kernel = cuda().find_kernel(name);
            ASSERT_NE(kernel, nullptr) << name;
            const std::size_t width = cuda().width(kernel);
            const std::vector<char> first = numbers(2 * kRoom, is_floating(element));
            for (const std::size_t n : {0, 1, 5, 300})
                for (const auto& [a, b] : {std::pair{0, 0}, {1, 1}, {0, 1}}) {
                    alignas(16) char in[kRoom], out[2][kRoom];
                    std::memcpy(in, first.data(), kRoom);
                    for (char* o : out) std::memcpy(o, first.data() + kRoom, kRoom);
                    const std::size_t from = a * width, to = b * width;
                    loop(in + from, out[0] + to, n);
                    const hopbine_operands one{.at = {in + from}, .count = 1, .sum_is_left = 0};
                    cuda().run_kernel(kernel, &one, out[1] + to, n, grid);
                    ASSERT_EQ(std::memcmp(out[0], out[1], kRoom), 0) << name << ' ' << n;
                }
        }
}

constexpr std::size_t kOperands = HOPBINE_MOST_INPUTS + 1, kElements = 40;
using Memories = std::array<std::array<char, 8 * (kElements + 2)>, kOperands>;

/// Operands of different values, which hold both zeros.
Memories operands(std::size_t width, bool floating) {
    Memories out{};
    const std::vector<char> all = numbers(out.size() * out[0].size(), floating);
    for (std::size_t k = 0; k < out.size(); ++k) {
        std::memcpy(out[k].data(), all.data() + k * out[k].size(), out[k].size());
        for (std::size_t at = 0; at + width <= out[k].size(); at += 3 * width) {
            std::fill_n(out[k].data() + at, width, char{0});
            if ((at / width + k) % 2) out[k][at + width - 1] = '\x80';
        }
    }
    return out;
}

/// One after the other by a loop of calls on host memory; the last or the first has the sum.
void add_by_loop(mpi::Kernel loop, Memories& of, unsigned count, std::size_t from, bool left) {
    for (unsigned k = 1; k < count; ++k)
        if (left)
            loop(of[k - 1].data() + from, of[k].data() + from, kElements);
        else
            loop(of[k].data() + from, of[0].data() + from, kElements);
}

TEST(DeviceKernels, AddSeveralToTheBitsOfTheLoops) {
    using mpi::Element, mpi::Operation;
    const unsigned grid[2] = {2, 4};
    for (int op = 0; op <= static_cast<int>(Operation::bit_xor); ++op)
        for (int e = 0; e <= static_cast<int>(Element::bf16); ++e) {
            const auto element = static_cast<Element>(e);
            const mpi::Kernel loop = mpi::kernel(static_cast<Operation>(op), element);
            if (!loop) continue;
            const std::string name = mpi::kernel_name(static_cast<Operation>(op), element);
            const auto kernel = cuda().find_kernel((name + "_several").c_str());
            ASSERT_NE(kernel, nullptr) << name;
            const std::size_t width = cuda().width(kernel);
            for (unsigned count = 2; count <= kOperands; ++count)
                for (const unsigned left : {0, 1})
                    for (const auto& [from, apart] :
                         {std::pair{0UL, 0UL}, {width, 0}, {0, width}}) {
                        alignas(16) Memories one = operands(width, is_floating(element));
                        alignas(16) Memories other = one;
                        const std::size_t result = left ? count - 1 : 0;
                        hopbine_operands of{.at = {}, .count = count, .sum_is_left = left};
                        for (unsigned k = 0; k < count; ++k) of.at[k] = other[k].data() + from;
                        alignas(16) char elsewhere[sizeof one[1]];
                        std::memcpy(elsewhere + apart, of.at[1], kElements * width);
                        if (apart && result != 1) of.at[1] = elsewhere + apart;
                        add_by_loop(loop, one, count, from, left);
                        cuda().run_kernel(kernel, &of, other[result].data() + from, kElements,
                                          grid);
                        ASSERT_EQ(one[result], other[result])
                            << name << ' ' << count << ' ' << left << ' ' << from;
                    }
        }
}

TEST_P(SpaceOf, CopiesInChunksAlsoAfterTheDeviceWasReset) {
    Runtime::get().loaded();
    void* const memory = tried_->allocate(kSpace, 0);
    const std::vector<char> from = counted(kSpace);
    for (const bool reset : {false, true}) {
        std::vector<char> back(kSpace);
        if (reset) tried_->reset();
        Copies copies;
        copies.to_device(memory, from.data(), kSpace);
        EXPECT_TRUE(copies.wait());
        copies.to_host(back.data(), memory, kSpace);
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
        const Pinned one(kSpace, *space_), other(kSpace, *space_);
    }
    const int after = tried_->pins();
    EXPECT_GE(after, before);
    for (int i = 0; i < 10; ++i) {
        const Pinned one(kSpace - static_cast<std::size_t>(i), *space_);
        std::memset(one.begin(), i, kSpace - 10);
    }
    EXPECT_EQ(tried_->pins(), after);
    {
        const Pinned large(300 << 20, *space_);
    }
    EXPECT_EQ(tried_->pins(), after) << "more is kept than the pool may";
}

TEST_P(SpaceOf, SeesManagedMemoryAsTheHosts) {
    EXPECT_FALSE(tried_->library->about(tried_->allocate(4096, 1)).on_device);
    int own = 0;
    EXPECT_FALSE(tried_->library->about(&own).on_device);
}

TEST_P(SpaceOf, HasStreamsThatFollowTheProgram) {
    std::vector<char> from = counted(kSpace), back(kSpace);
    void* const there = tried_->allocate(kSpace, 0);
    const Stream own = space_->make_own_stream();
    setenv("HOPBINE_TEST_SLOW", "copies:20000", 1);
    ASSERT_TRUE(space_->copy(there, from.data(), kSpace, Direction::to_device, nullptr));
    ASSERT_TRUE(space_->follow_program(own));
    ASSERT_TRUE(space_->copy(back.data(), there, kSpace, Direction::to_host, own));
    EXPECT_TRUE(space_->is_busy(own));
    EXPECT_TRUE(space_->wait(own));
    unsetenv("HOPBINE_TEST_SLOW");
    EXPECT_FALSE(space_->is_busy(own));
    EXPECT_EQ(back, from);
}

/// A bcast of two ranks that are here, and take its turns from what they have done before.
TEST_P(SpaceOf, KeepsKernelsToBeginThemAgain) {
    if (!space_->has_kernel("copies_node")) GTEST_SKIP() << "no kernels were built";
    constexpr std::size_t n = 3000, kRoom = 4096;
    std::array<char*, 2> arenas{}, buffers{};
    std::array<std::array<std::uint32_t, HOPBINE_NODE_BLOCKS>, 2> over{};
    for (char*& a : arenas)
        a = static_cast<char*>(tried_->allocate(HOPBINE_ARENA_BEGIN + 3 * kRoom, 0));
    for (char*& b : buffers) b = static_cast<char*>(tried_->allocate(n, 0));
    std::array<Stream, 2> streams{};
    std::array<Graph, 2> graphs{};
    for (std::uint32_t r = 0; r < 2; ++r) {
        NodeTurns turns(arenas, r, kRoom, 1 << 30, over[r].data());
        streams[r] = space_->make_own_stream();
        graphs[r] = space_->keep_node("copies", turns.replayed(node_bcast({2, r}, n, 0)),
                                      buffers[r], buffers[r], streams[r]);
        ASSERT_NE(graphs[r], nullptr);
        EXPECT_FALSE(space_->is_busy(streams[r]));
    }
    EXPECT_EQ(space_->keep_node("nothing", {}, nullptr, nullptr, streams[0]), nullptr);
    for (unsigned turn = 1; turn < 6; ++turn) {
        std::memset(tried_->readable(buffers[0]), static_cast<int>(turn), n);
        for (std::size_t r = 0; r < 2; ++r) ASSERT_TRUE(space_->replay(graphs[r], streams[r]));
        for (const Stream stream : streams) ASSERT_TRUE(space_->wait(stream));
        for (const auto& one : over)
            for (const std::uint32_t block : one) EXPECT_EQ(block, turn);
        EXPECT_EQ(std::memcmp(tried_->readable(buffers[1]), tried_->readable(buffers[0]), n), 0);
    }
    for (const Graph graph : graphs) space_->drop(graph);
}

INSTANTIATE_TEST_SUITE_P(All, SpaceOf, testing::Values("cuda", "hip"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace hopbine::device
