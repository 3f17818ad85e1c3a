#include "choice/first_calls.hpp"

#include <gtest/gtest.h>

#include <random>

namespace hopbine::mpi {
namespace {

constexpr double kShare = 1.0 / 200;

/// Makes a call of this weight. Returns whether the first calls had ended before it.
bool ended_at(FirstCalls& first, double weight, double share) {
    if (first.ended() || (!first.pass() && first.look(weight, share))) return true;
    first.count();
    return false;
}

int calls_until_end(double weight, double share) {
    FirstCalls first;
    int calls = 0;
    while (!first.ended() && calls < 1 << 16) calls += !ended_at(first, weight, share);
    return calls;
}

TEST(FirstCalls, EndSoonerWhereCallsAreLonger) {
    EXPECT_EQ(calls_until_end(1, kShare), 2047);  // the one that is looked at is served
    EXPECT_EQ(calls_until_end(0.5, kShare), 4095);
    EXPECT_EQ(calls_until_end(100, kShare), 31);
    EXPECT_LT(calls_until_end(1, 1), calls_until_end(1, kShare));
}

TEST(FirstCalls, NeverEndWhereNothingMayBeSpent) { EXPECT_EQ(calls_until_end(1e3, 0), 1 << 16); }

/// A call that the library refuses on one rank has not happened: those that do are the same ones on
/// all ranks, whatever was refused between them.
TEST(FirstCalls, RanksAgreeWhereCallsAreRefused) {
    for (unsigned seed = 1; seed <= 50; ++seed) {
        std::mt19937 random(seed);
        FirstCalls all, refusing;
        for (int call = 0; call < 3000; ++call) {
            while (!refusing.ended() && random() % 3 == 0) {
                if (!refusing.pass() && refusing.look(0.1, kShare)) break;
                refusing.count();
                refusing.undo();
            }
            const double weight = 0.5 + random() % 20;
            ASSERT_EQ(all.pass(), refusing.pass()) << "seed " << seed << ", call " << call;
            if (all.ended()) break;
            ASSERT_EQ(ended_at(all, weight, kShare), ended_at(refusing, weight, kShare));
            ASSERT_EQ(all.ended(), refusing.ended()) << "seed " << seed << ", call " << call;
        }
        EXPECT_TRUE(all.ended());
    }
}

}  // namespace
}  // namespace hopbine::mpi
