// Loads that the choice charges an algorithm with: blocks, whatever the number of parts.
#include "select/loads.hpp"

#include <gtest/gtest.h>

#include "analysis/count.hpp"
#include "schedule/settings.hpp"
#include "select/cost_choice.hpp"

using namespace hopbine;
using namespace hopbine::select;

namespace {

Placement two_to_a_node(int p, int nodes_per_group) {
    Placement out;
    for (int r = 0; r < p; ++r) {
        out.node.push_back(r / 2);
        out.group.push_back(r / 2 / nodes_per_group);
    }
    return out;
}

Loads loads_of(const Algorithm& a, const Parameters& given, const Placement& place) {
    const LocatedRanks located(place);
    return measure({&a, given, 0}, numberings(place).front(), 0, located);
}

TEST(Loads, AreThoseOfTheCountInBlocks) {
    int in_parts = 0;
    for (const Algorithm* a : algorithms())
        for (int p : {6, 8, 12, 16}) {
            if (!fits(*a, p)) continue;
            const Placement place = two_to_a_node(p, 2);
            for (const Parameters& given : settings(*a)) {
                const Loads loads = loads_of(*a, given, place);
                const Traffic t = count(
                    *a, {a->collective, p, 0, given, std::make_shared<const Placement>(place), {}},
                    place);
                EXPECT_DOUBLE_EQ(loads.blocks(loads.totals[global_volume]),
                                 static_cast<double>(t.global.blocks) / t.parts)
                    << a->name << " p " << p;
                in_parts += t.parts > 1;
            }
        }
    EXPECT_GT(in_parts, 10);
}

/// Two parts of half a block are the bytes of one block. Swing on all ports of a ring moves as much
/// as on one port, and takes no longer.
TEST(Loads, OfTwoPartsAreNotDouble) {
    const Placement place = two_to_a_node(16, 2);
    const Algorithm& swing = algorithm_named(Collective::allreduce, "swing");
    const LinkCosts net;
    const LocatedRanks located(place);
    const double bytes = 1 << 20;
    const Loads one = loads_of(swing, {{"ports", 0}}, place),
                two = loads_of(swing, {{"ports", 1}}, place);
    EXPECT_EQ(one.parts, 1);
    EXPECT_EQ(two.parts, 2);
    EXPECT_LT(modelled_seconds(two, net, located, bytes),
              1.5 * modelled_seconds(one, net, located, bytes));
}

}  // namespace
