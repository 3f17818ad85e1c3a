// Switches between stacks: each side keeps its registers and modes, on whichever thread it goes on.
#include "runtime/fiber.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cfenv>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace hopbine::mpi {
namespace {

/// A fiber that runs a function.
class Running {
public:
    explicit Running(std::function<void(Fiber&)> body) : body_(std::move(body)) {
        fiber_.begin(
            [](void* self) {
                auto& one = *static_cast<Running*>(self);
                one.body_(one.fiber_);
            },
            this);
    }
    bool resume(bool anything = true) { return fiber_.resume(anything); }

private:
    std::function<void(Fiber&)> body_;
    Fiber fiber_;
};

/// More numbers than a calling convention has registers to keep, of both kinds.
struct Numbers {
    std::array<std::uint64_t, 16> whole;
    std::array<double, 16> real;
    bool operator==(const Numbers&) const = default;
};

/// Steps of a generator for each number. Between two of them, `pause` is called, while the compiler
/// may have the numbers in registers.
template <class Pause>
[[gnu::noinline]] Numbers stepped(std::uint64_t seed, int steps, const Pause& pause) {
    Numbers n;
    for (std::size_t i = 0; i < 16; ++i) n.whole[i] = seed + i, n.real[i] = 1.0 / (seed + i);
    for (int step = 0; step < steps; ++step) {
        for (std::uint64_t& w : n.whole) w = w * 6364136223846793005u + seed;
        for (double& r : n.real) r = r * 1.0000001 + 0.5;
        pause();
    }
    return n;
}

TEST(Fibers, KeepTheirNumbersAndThoseOfTheirThread) {
    constexpr int kSteps = 1000;
    const auto go_on = [] {};
    Numbers inside;
    Running fiber([&](Fiber& self) { inside = stepped(5, kSteps, [&] { self.suspend(); }); });
    const Numbers outside = stepped(11, kSteps, [&] { ASSERT_FALSE(fiber.resume()); });
    EXPECT_TRUE(fiber.resume());
    EXPECT_EQ(outside, stepped(11, kSteps, go_on));
    EXPECT_EQ(inside, stepped(5, kSteps, go_on));
}

#if defined(__aarch64__)
/// Fills the registers that a function has to keep with numbers from `seed` up, calls pause(of),
/// and returns how many have changed.
extern "C" std::uint64_t hopbine_changed_registers(std::uint64_t seed, void (*pause)(void*),
                                                   void* of);
asm(R"(
.pushsection .text
.type hopbine_changed_registers, %function
hopbine_changed_registers:
    stp x29, x30, [sp, #-176]!
    str x0, [sp, #16]
.irp n, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28
    str x\n, [sp, #(\n - 19) * 8 + 24]
    add x\n, x0, #\n
.endr
.irp n, 8, 9, 10, 11, 12, 13, 14, 15
    str d\n, [sp, #(\n - 8) * 8 + 104]
    add x9, x0, #\n
    fmov d\n, x9
.endr
    mov x0, x2
    blr x1
    ldr x9, [sp, #16]
    mov x0, #0
.irp n, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28
    add x10, x9, #\n
    cmp x\n, x10
    cinc x0, x0, ne
    ldr x\n, [sp, #(\n - 19) * 8 + 24]
.endr
.irp n, 8, 9, 10, 11, 12, 13, 14, 15
    add x10, x9, #\n
    fmov x11, d\n
    cmp x11, x10
    cinc x0, x0, ne
    ldr d\n, [sp, #(\n - 8) * 8 + 104]
.endr
    ldp x29, x30, [sp], #176
    ret
.popsection
)");

TEST(Fibers, KeepEveryRegisterOfTheConvention) {
    std::uint64_t inside = 1, outside = 1;
    Running fiber([&](Fiber& self) {
        inside = hopbine_changed_registers(
            5000, [](void* of) { static_cast<Fiber*>(of)->suspend(); }, &self);
    });
    outside = hopbine_changed_registers(
        1000, [](void* of) { static_cast<Running*>(of)->resume(); }, &fiber);
    EXPECT_EQ(outside, 0u);
    EXPECT_TRUE(fiber.resume());
    EXPECT_EQ(inside, 0u);
}
#endif

TEST(Fibers, KeepTheirRoundingAndThatOfTheirThread) {
    ASSERT_EQ(std::fesetround(FE_DOWNWARD), 0);
    int begun = -1, later = -1;
    Running fiber([&](Fiber& self) {
        begun = std::fegetround();
        std::fesetround(FE_UPWARD);
        self.suspend();
        later = std::fegetround();
    });
    std::fesetround(FE_TOWARDZERO);
    EXPECT_FALSE(fiber.resume());
    EXPECT_EQ(std::fegetround(), FE_TOWARDZERO);
    std::fesetround(FE_TONEAREST);
    EXPECT_TRUE(fiber.resume());
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
    EXPECT_EQ(begun, FE_DOWNWARD);  // that of where it began
    EXPECT_EQ(later, FE_UPWARD);
}

TEST(Fibers, GoOnOnAnotherThread) {
    std::vector<std::thread::id> on;
    Running fiber([&](Fiber& self) {
        for (int i = 0; i < 4; ++i) {
            EXPECT_EQ(Fiber::current(), &self);
            on.push_back(std::this_thread::get_id());
            self.suspend();
        }
    });
    std::vector<std::thread::id> expected;
    for (int i = 0; i < 4; ++i)
        std::thread([&] {
            expected.push_back(std::this_thread::get_id());
            EXPECT_FALSE(fiber.resume());
            EXPECT_EQ(Fiber::current(), nullptr);
        }).join();
    EXPECT_TRUE(fiber.resume());
    EXPECT_EQ(on, expected);
}

TEST(Fibers, RunOthersAndWorkOutside) {
    std::vector<int> order;
    Running inner([&](Fiber& self) {
        order.push_back(2);
        self.suspend();
        self.outside([&] { order.push_back(Fiber::current() == nullptr ? 5 : -5); });
        order.push_back(6);
    });
    Running outer([&](Fiber& self) {
        order.push_back(1);
        EXPECT_FALSE(inner.resume());
        EXPECT_EQ(Fiber::current(), &self);
        order.push_back(3);
        self.suspend();
    });
    EXPECT_FALSE(outer.resume());
    order.push_back(4);
    EXPECT_FALSE(inner.resume(false));  // it stays where it asks for the work
    EXPECT_TRUE(inner.resume());
    EXPECT_TRUE(outer.resume());
    EXPECT_EQ(order, (std::vector<int>{1, 2, 3, 4, 5, 6}));
}

/// Takes about half of the stack, with exceptions that are caught there.
int deep(int levels) {
    volatile char some[1024] = {};
    some[0] = static_cast<char>(levels);
    if (levels == 0) throw 7;
    return deep(levels - 1) + some[0];
}

TEST(Fibers, HaveAStackOfTheirOwnForExceptions) {
    std::uintptr_t place = 1;
    int caught = 0;
    Running fiber([&](Fiber& self) {
        alignas(16) char aligned[16];
        place = reinterpret_cast<std::uintptr_t>(aligned);
        try {
            deep(3000);
        } catch (int what) {
            self.suspend();
            caught = what;
        }
    });
    EXPECT_FALSE(fiber.resume());
    EXPECT_TRUE(fiber.resume());
    EXPECT_EQ(caught, 7);
    EXPECT_EQ(place % 16, 0u);
}

}  // namespace
}  // namespace hopbine::mpi
