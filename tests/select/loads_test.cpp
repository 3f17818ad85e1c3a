// Loads that the choice charges an algorithm with: blocks, whatever the number of parts.
#include "select/loads.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "analysis/count.hpp"
#include "select/cost_choice.hpp"
#include "select/pipelines.hpp"

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
    std::vector<int> nodes;
    for (int n = 0; n < located.nodes.count(); ++n) nodes.push_back(n);
    return measure({&a, given, 0}, numberings(place).front(), 0, located, nodes);
}

/// The defaults, and every parameter at each of its probes.
std::vector<Parameters> settings(const Algorithm& a) {
    std::vector<Parameters> out{{}};
    for (const Parameter& q : a.parameters)
        for (std::int64_t value : q.probes()) out.push_back({{q.name, value}});
    return out;
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

/// What is counted of a pipeline is its schedule in one segment, whatever the number will be.
TEST(Loads, OfAPipelineAreThoseOfOneSegment) {
    const Placement place = two_to_a_node(16, 2);
    const Algorithm& chain = algorithm_named(Collective::bcast, "chain");
    const Loads loads = loads_of(chain, {}, place), one = loads_of(chain, {{"segments", 1}}, place);
    EXPECT_TRUE(loads.pipeline);
    EXPECT_FALSE(one.pipeline);
    EXPECT_EQ(loads.totals, one.totals);
    EXPECT_EQ(loads.times, std::vector<std::int64_t>{15});
}

/// 5, 6 and 5 nodes in groups with thin links: a vector crosses them once in a pipeline, which also
/// keeps all of them busy; a short one is not worth the steps.
TEST(CostChoice, TakesAPipelineForALargeBroadcast) {
    Placement place;
    for (int r = 0; r < 16; ++r) {
        place.group.push_back(r < 5 ? 0 : r < 11 ? 1 : 2);
        place.node.push_back(r);
    }
    const LocatedRanks located(place);
    const std::vector<Numbering> all = numberings(place);
    const std::vector<Candidate> from = candidates(Collective::bcast, place, all);
    std::vector<Loads> loads;
    std::vector<int> nodes(16);
    std::iota(nodes.begin(), nodes.end(), 0);
    for (const Candidate& one : from)
        loads.push_back(
            measure(one, all[static_cast<std::size_t>(one.numbering)], 0, located, nodes));
    const auto chosen = [&](double bytes) {
        const int best =
            choose_by_cost(from, loads, LinkCosts{}, located, bytes, Operands::exact).candidate;
        return from[static_cast<std::size_t>(best)].algorithm;
    };
    EXPECT_NE(segments_of(*chosen(16 << 20)), nullptr) << chosen(16 << 20)->name;
    EXPECT_EQ(segments_of(*chosen(8)), nullptr) << chosen(8)->name;
}

}  // namespace
