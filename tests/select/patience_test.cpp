// The patience of the choice, and whom it spares.
#include <gtest/gtest.h>

#include "select/cost_choice.hpp"

using namespace hopbine;
using namespace hopbine::select;

namespace {

/// One rank on each node.
LocatedRanks located(const std::vector<int>& group, std::vector<int> torus = {}) {
    return LocatedRanks(one_rank_per_node(group), std::move(torus));
}

const std::vector<int> kOneGroup(16), kTwoGroups = {0, 0, 0, 0, 1, 1, 1, 1};

/// Links between groups are shared with other jobs; a torus that ranks fill is their own.
TEST(Patience, IsForLinksThatOthersShare) {
    EXPECT_EQ(patience_of(located(kOneGroup), 1.5), 1.5);
    EXPECT_EQ(patience_of(located(kTwoGroups), 1.5), 1.5);
    EXPECT_EQ(patience_of(located(kTwoGroups, {2, 4}), 1.5), 1.5);
    EXPECT_EQ(patience_of(located(kOneGroup, {4, 4}), 1.5), 1);
}

/// Whatever others move, and however patient the choice is.
TEST(Patience, OnATorusTheFastestServes) {
    const LocatedRanks torus = located(kOneGroup, {4, 4});
    const LinkCosts net;
    const auto numbers = numberings(*torus.placement);
    for (int i = 0; i < kCollectives; ++i) {
        const auto c = static_cast<Collective>(i);
        if (!counts(c)) continue;
        const auto all = candidates(c, *torus.placement, numbers, {4, 4});
        std::vector<Loads> loads;
        for (const Candidate& one : all)
            loads.push_back(
                measure(one, numbers[static_cast<std::size_t>(one.numbering)], 0, torus));
        const Costed costed{all, loads, net, torus, 100};
        for (double bytes : {8., 4096., 1e6}) {
            const CostChoice best = choose_by_cost(costed, bytes, Operands::commute);
            for (std::size_t k = 0; k < all.size(); ++k)
                EXPECT_GE(seconds(costed, static_cast<int>(k), bytes), best.seconds)
                    << name(c) << ' ' << all[k].algorithm->name << ' ' << bytes;
        }
    }
}

}  // namespace
