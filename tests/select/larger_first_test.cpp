// One account for several communicators: the largest one learns first.
#include <gtest/gtest.h>

#include "one_rank.hpp"

namespace hopbine::select {
namespace {

class LargerFirst : public testing::Test {
protected:
    LargerFirst() { offers_.all = {{.name = 7}}; }
    using Kind = Selector::Kind;
    static Kind& begin(Selector& s) { return s.kind({Collective::allreduce, 10, 0}, false, 10); }
    /// Makes calls of 1 ms by the library, and of this long by the other arm. Ends before an
    /// agreement if `until_due`. Returns how many were made.
    int make(int calls, Selector& s, Kind& k, double other, bool until_due = false) {
        int made = 0;
        for (; made < calls && !(until_due && s.agreement_due()); ++made) {
            if (k.passes()) continue;
            const Selector::Turn turn = s.turn(k, true);
            if (!turn.timed) continue;
            s.took(k, turn.arm ? other : 1e-3, port_);
            if (!until_due && s.agreement_due()) s.agree(port_, offers_);
        }
        return made;
    }
    Account account_;
    OneRank port_;
    Given offers_;
    Selector larger_{account_, 1e-5};
    Kind& of_larger_ = begin(larger_);
    Selector smaller_{account_, 1e-5, 0, &larger_};
    Kind& of_smaller_ = begin(smaller_);
};

TEST_F(LargerFirst, UntilItGains) {
    for (int i = 0; i < 100; ++i) {
        make(20, larger_, of_larger_, 1e-3);
        ASSERT_EQ(make(5, smaller_, of_smaller_, 1e-3, true), 5) << i;
    }
    EXPECT_EQ(account_.saved(), 0);
    make(20000, larger_, of_larger_, 4e-4);
    EXPECT_GT(account_.saved(), 0.1);
    EXPECT_LT(make(1000, smaller_, of_smaller_, 1e-3, true), 1000);
}

/// One that makes no more calls holds up none that goes on.
TEST_F(LargerFirst, UntilOthersHaveLongerCalls) {
    make(2000, larger_, of_larger_, 1e-3);
    const int calls = make(10000, smaller_, of_smaller_, 1e-3, true);
    EXPECT_GE(calls, 1900);
    EXPECT_LT(calls, 4000);
}

TEST_F(LargerFirst, ButForClaimsThatAreToBeConfirmed) {
    make(1000, larger_, of_larger_, 1e-3);
    smaller_.promise(of_smaller_, {.name = 7, .ratio = 0.5, .gain = 5e-4, .deviation = 0.2}, 2e-5,
                     true);
    EXPECT_LT(make(1000, smaller_, of_smaller_, 5e-4, true), 20);
}

}  // namespace
}  // namespace hopbine::select
