// The counts that the ranks of a job share: together they are the count of all nodes.
#include "select/shared_count.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <set>

#include "select/cost_choice.hpp"

using namespace hopbine;
using namespace hopbine::select;

namespace {

/// Ranks on nodes of 1 to 4 ranks, nodes in `groups` groups of unequal size, dealt at random.
Placement drawn(std::mt19937& random, int p, int groups) {
    Placement out;
    std::vector<int> group_of_node;
    while (static_cast<int>(out.node.size()) < p) {
        const int node = static_cast<int>(group_of_node.size()) * 7 + 3;
        const int group = static_cast<int>(std::min(random() % groups, random() % groups));
        group_of_node.push_back(group);
        for (std::size_t i = 0; i <= random() % 4 && static_cast<int>(out.node.size()) < p; ++i)
            out.node.push_back(node), out.group.push_back(group);
    }
    if (random() % 2)
        for (std::size_t r = out.node.size(); r-- > 1;) {
            const std::size_t other = random() % (r + 1);
            std::swap(out.node[r], out.node[other]), std::swap(out.group[r], out.group[other]);
        }
    return out;
}

/// What all ranks count together, combined as their messages do.
std::vector<Loads> counted(const std::vector<Candidate>& all, const std::vector<Numbering>& orders,
                           const LocatedRanks& located, std::size_t team_size) {
    const std::vector<Team> divided = teams(located, team_size);
    const int p = static_cast<int>(located.placement->group.size());
    std::vector<std::vector<Loads>> mine(static_cast<std::size_t>(p));
    for (int r = 0; r < p; ++r) {
        const std::vector<int>& mates = stages_of(divided, r).team->ranks;
        std::vector<Loads>& loads = mine[static_cast<std::size_t>(r)];
        loads.resize(all.size());
        for (std::size_t i = 0; i < all.size(); ++i)
            if (mates[i % mates.size()] == r)
                loads[i] = measure(all[i], orders[static_cast<std::size_t>(all[i].numbering)], 0,
                                   located, stages_of(divided, r).team->nodes);
    }
    for (std::size_t stage = 0; stage < 3; ++stage) {
        for (int r = 0; r < p; ++r) {
            const Stages way = stages_of(divided, r);
            if (stage >= way.stages.size() || way.stages[stage].front() == r ||
                std::ranges::find(way.stages[stage], r) == way.stages[stage].end())
                continue;
            const auto first = static_cast<std::size_t>(way.stages[stage].front());
            for (std::size_t i = 0; i < all.size(); ++i) {
                Bytes sent;
                pack(mine[static_cast<std::size_t>(r)][i], sent);
                const std::uint8_t* at = sent.data();
                add(mine[first][i], unpack(at));
                EXPECT_EQ(at, sent.data() + sent.size());
            }
            mine[static_cast<std::size_t>(r)].assign(all.size(), {});
        }
        for (int r = 0; r < p; ++r)
            end_stage(stages_of(divided, r), stage, located, mine[static_cast<std::size_t>(r)]);
    }
    return mine[0];
}

bool equal(const Loads& a, const Loads& b) {
    return a.patterns == b.patterns && a.parts == b.parts && a.channels == b.channels &&
           a.times == b.times && a.group == b.group && a.peaks == b.peaks && a.lines == b.lines &&
           a.packed == b.packed && a.totals == b.totals && a.pipelined == b.pipelined &&
           a.permutes == b.permutes;
}

TEST(SharedCount, IsTheCountOfAllNodes) {
    std::mt19937 random(7);
    const LinkCosts net;
    int divided_groups = 0;
    for (const auto& [p, groups, team] :
         {std::tuple{9, 3, 58}, {16, 1, 4}, {24, 2, 3}, {37, 5, 2}, {48, 3, 5}, {64, 20, 6}}) {
        const Placement place = drawn(random, p, groups);
        const LocatedRanks located(place);
        const std::vector<Numbering> orders = numberings(place);
        for (const Team& t : teams(located, static_cast<std::size_t>(team)))
            divided_groups += t.part_of >= 0;
        for (int c = 0; c < kCollectives; ++c) {
            if (!counts(static_cast<Collective>(c))) continue;
            const auto all = candidates(static_cast<Collective>(c), place, orders);
            const std::vector<Loads> together =
                counted(all, orders, located, static_cast<std::size_t>(team));
            for (std::size_t i = 0; i < all.size(); ++i) {
                const Loads alone =
                    measure(all[i], orders[static_cast<std::size_t>(all[i].numbering)], 0, located);
                EXPECT_TRUE(equal(together[i], alone)) << all[i].algorithm->name << " p " << p;
                for (double bytes : {1.0, 4096.0, 1e6})
                    EXPECT_EQ(modelled_seconds(together[i], net, located, bytes),
                              modelled_seconds(alone, net, located, bytes))
                        << all[i].algorithm->name << " p " << p;
            }
        }
    }
    EXPECT_GT(divided_groups, 5);
}

/// Lines and copies too: those of rank 0 are known to one team.
TEST(SharedCount, IsTheCountOfAllNodesOfATorus) {
    const Placement place = one_rank_per_node(std::vector<int>(16));
    const LocatedRanks located(place, {4, 4});
    const std::vector<Numbering> orders = numberings(place);
    int copy = 0;
    for (int c = 0; c < kCollectives; ++c) {
        if (!counts(static_cast<Collective>(c))) continue;
        const auto all = candidates(static_cast<Collective>(c), place, orders, {4, 4});
        const std::vector<Loads> together = counted(all, orders, located, 4);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Loads alone =
                measure(all[i], orders[static_cast<std::size_t>(all[i].numbering)], 0, located);
            EXPECT_TRUE(equal(together[i], alone)) << all[i].algorithm->name;
            copy += std::ranges::max(alone.packed) > 0;
        }
    }
    EXPECT_GT(copy, 10);
}

TEST(SharedCount, EveryNodeIsCountedOnceAndEveryRankHasATeam) {
    std::mt19937 random(11);
    for (int trial = 0; trial < 200; ++trial) {
        const Placement place =
            drawn(random, 2 + static_cast<int>(random() % 80), 1 + static_cast<int>(random() % 9));
        const LocatedRanks located(place);
        std::set<int> nodes, ranks;
        for (const Team& t : teams(located, 1 + random() % 20)) {
            for (int n : t.nodes) EXPECT_TRUE(nodes.insert(n).second);
            for (int r : t.ranks) EXPECT_TRUE(ranks.insert(r).second);
        }
        EXPECT_EQ(static_cast<int>(nodes.size()), located.nodes.count());
        EXPECT_EQ(ranks.size(), place.node.size());
        EXPECT_EQ(teams(located, 5).front().ranks.front(), 0);
    }
}

TEST(SharedCount, NumbersOfAnySizeArePacked) {
    for (std::int64_t number : {std::int64_t{0}, std::int64_t{127}, std::int64_t{128},
                                std::int64_t{1} << 40, std::numeric_limits<std::int64_t>::max()}) {
        Bytes out;
        pack(number, out);
        const std::uint8_t* at = out.data();
        EXPECT_EQ(unpack_number(at), number);
        EXPECT_EQ(at, out.data() + out.size());
    }
}

}  // namespace
