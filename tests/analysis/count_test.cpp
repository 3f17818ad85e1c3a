// Counts with symmetry against a walk of every rank and step.
#include "analysis/count.hpp"

#include <gtest/gtest.h>

#include <map>

#include "schedule/integers.hpp"

using namespace hopbine;

namespace {

using Key = std::pair<int, int>;

/// Blocks and messages between groups, from all moves of all ranks in all steps.
std::map<Key, Key> walked(const Algorithm& a, const Problem& given, const Placement& place) {
    const Problem q = resolve(a, given);
    const SchedulePtr s = a.make(q);
    const Units groups(place.group);
    std::map<Key, Key> out;
    Step now;
    for (int t = 0; t < s->steps(); ++t)
        for (int r = 0; r < q.p; ++r) {
            now.clear();
            s->moves(r, t, now);
            for (const Move& m : now) {
                if (m.direction != Direction::send || groups.of(r) == groups.of(m.peer)) continue;
                auto& [blocks, messages] = out[{groups.of(r), groups.of(m.peer)}];
                blocks += static_cast<int>(m.blocks.size());
                messages += s->traits().wire == Wire::per_run
                                ? static_cast<int>(m.blocks.runs().size())
                                : 1;
            }
        }
    return out;
}

Placement dealt(int p, int k, int per_node) {
    Placement out;
    for (int r = 0; r < p; ++r) {
        const int node = r / per_node;
        out.node.push_back(node);
        out.group.push_back(node * 7 / 3 % k);
    }
    return out;
}

TEST(Count, IsTheWalkOfEveryRankAndStep) {
    for (const Algorithm* a : algorithms())
        for (int p : {1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 16, 24, 32, 33, 64})
            for (int per_node : {1, 2}) {
                if (!fits(*a, p)) continue;
                const Placement place = dealt(p, 3, per_node);
                Problem q{a->collective, p, rooted(a->collective) ? p / 2 : 0};
                q.placement = std::make_shared<const Placement>(place);
                if (a->follows_shape && per_node == 2)
                    q.shape = p % 4 ? std::vector{1, p} : std::vector{2, p / 4, 2};
                if (a->refuses && !a->refuses(q).empty()) continue;
                const Traffic t = count(*a, q, place);
                std::map<Key, Key> counted;
                std::int64_t blocks = 0, messages = 0;
                for (const Pair& pair : t.pairs) {
                    counted[{pair.from, pair.to}] = {static_cast<int>(pair.sent.blocks),
                                                     static_cast<int>(pair.sent.messages)};
                    blocks += pair.sent.blocks;
                    messages += pair.sent.messages;
                }
                ASSERT_EQ(counted, walked(*a, q, place)) << name(a->collective) << ' ' << a->name
                                                         << " p=" << p << " per node " << per_node;
                EXPECT_EQ(blocks, t.global.blocks);
                EXPECT_EQ(messages, t.global.messages);
            }
}

/// allreduce_hierarchical_small sends whole vectors between leaders and may exceed the bound. So
/// may prefix sums, which combine only consecutive ranks.
TEST(Count, HierarchicalAlgorithmsMeetTheLowerBound) {
    for (const Algorithm* a : algorithms()) {
        if (!std::string(a->name).starts_with("hierarchical")) continue;
        if (!spec(a->collective).has_data()) continue;  // signals are counted, and weigh nothing
        for (int p : {5, 8, 16, 33, 64, 100})
            for (int k : {2, 3, 5}) {
                const Placement place = dealt(p, k, 2);
                Problem q{a->collective, p, rooted(a->collective) ? p - 1 : 0};
                q.placement = std::make_shared<const Placement>(place);
                const std::int64_t moved = count(*a, q, place).global.blocks,
                                   least = lower_bound(q, place) * schedule(*a, q)->traits().parts;
                if (spec(a->collective).prefix() || (a->collective == Collective::allreduce &&
                                                     std::string(a->name) == "hierarchical_small"))
                    EXPECT_GE(moved, least);
                else
                    EXPECT_EQ(moved, least)
                        << name(a->collective) << ' ' << a->name << " p=" << p << " k=" << k;
            }
    }
}

TEST(Count, PlacementsThatCannotBeAreRefused) {
    const Algorithm& ring = algorithm_named(Collective::allreduce, "ring");
    EXPECT_THROW(count(ring, {Collective::allreduce, 4}, one_rank_per_node({0, 0, 1})), Error);
    EXPECT_THROW(count(ring, {Collective::allreduce, 2}, Placement{{0, 1}, {5, 5}}), Error);
}

}  // namespace
