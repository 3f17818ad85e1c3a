// Sizes that schedules know without their moves, and numbers of blocks in common with others,
// against the moves: every algorithm, at its parameters' probes and in placements of equal and
// unequal units.
#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "schedule/settings.hpp"

using namespace hopbine;

namespace {

using Key = std::tuple<Direction, Op, int>;
using Sums = std::map<Key, std::pair<std::int64_t, std::int64_t>>;

void add(Sums& sums, const MoveSizes& all) {
    for (const MoveSize& m : all) {
        auto& [blocks, messages] = sums[{m.direction, m.op, m.peer}];
        blocks += m.blocks;
        messages += m.messages;
    }
}

MoveSizes of_moves(const Step& all, Wire wire) {
    MoveSizes out;
    for (const Move& m : all)
        out.push_back(
            {m.direction, m.op, m.peer, m.blocks.size(),
             wire == Wire::per_run ? static_cast<std::int64_t>(m.blocks.runs().size()) : 1});
    return out;
}

/// Whether the schedule knows what a step's moves have in common with every third block.
bool knows_common(const Schedule& s, int rank, int step, const Step& all) {
    std::vector<Block> thirds;
    for (const Move& m : all)
        m.blocks.each([&](Block b) {
            if (b % 3 == rank % 3) thirds.push_back(b);
        });
    const BlockSet some = BlockSet::of(std::move(thirds));
    std::vector<std::int64_t> told, moved;
    s.common(rank, step, some, told);
    for (const Move& m : all) {
        std::int64_t& n = moved.emplace_back(0);
        m.blocks.each([&](Block b) { n += some.contains(b); });
    }
    return told == moved;
}

/// What a rank exchanges if Traits::complete holds.
Sums complete(int p, int rank, Op op) {
    Sums out;
    for (int peer = 0; peer < p; ++peer)
        for (const Direction direction : {Direction::send, Direction::recv})
            if (peer != rank) out[{direction, op, peer}] = {1, 1};
    return out;
}

/// The first rank whose sizes differ from its moves; -1 if there is none.
int differing(const Schedule& s, int p) {
    for (int rank = 0; rank < p; ++rank) {
        Sums all;
        for (int step = 0; step < s.steps(); ++step) {
            Step moves;
            s.moves(rank, step, moves);
            for (const Wire wire : {Wire::packed, Wire::per_run}) {
                MoveSizes told;
                s.sizes(rank, step, wire, told);
                if (told != of_moves(moves, wire)) return rank;
            }
            if (!knows_common(s, rank, step, moves)) return rank;
            add(all, of_moves(moves, s.traits().wire));
        }
        MoveSizes told;
        Sums known;
        if (s.totals(rank, told)) {
            add(known, told);
            if (known != all) return rank;
        } else if (!told.empty()) {
            return rank;
        }
        if (s.traits().complete && all != complete(p, rank, *s.traits().complete)) return rank;
    }
    return -1;
}

std::vector<std::shared_ptr<const Placement>> placements(int p) {
    const auto made = [p](auto&& group_and_node) {
        Placement out;
        for (int r = 0; r < p; ++r) {
            const auto [group, node] = group_and_node(r);
            out.group.push_back(group);
            out.node.push_back(node);
        }
        return std::make_shared<const Placement>(std::move(out));
    };
    return {nullptr,
            made([](int r) { return std::pair(r / 4, r / 2); }),
            made([](int r) { return std::pair(r / 8, r); }),
            made([](int r) {
                const int group = r < 3 ? 0 : r < 10 ? 1 : 2 + r / 16;
                return std::pair(group, group * 100 + r / 3);
            }),
            made([](int r) { return std::pair(r % 3, r % 6); }),
            made([](int r) { return std::pair(r * r % 7 % 3, r * r % 7); })};
}

class Sizes : public testing::TestWithParam<const Algorithm*> {};

TEST_P(Sizes, AreThoseOfTheMoves) {
    const Algorithm& a = *GetParam();
    for (int p : {1, 2, 3, 5, 6, 8, 12, 16, 17, 24, 27, 32})
        for (const auto& place : placements(p)) {
            if (!fits(a, p) || (place && !a.follows_placement)) continue;
            for (const Parameters& given : settings(a)) {
                Problem q{a.collective, p, rooted(a.collective) ? p / 2 : 0, given, place, {p}};
                if (a.follows_shape && p % 4 == 0) q.shape = {p / 4, 2, 2};
                if (a.refuses && !a.refuses(q).empty()) continue;
                EXPECT_EQ(differing(*schedule(a, q), p), -1)
                    << name(a.collective) << ' ' << a.name << " p " << p << " "
                    << testing::PrintToString(given);
            }
        }
}

std::string named(const testing::TestParamInfo<const Algorithm*>& info) {
    return std::string(name(info.param->collective)) + "_" + info.param->name;
}
INSTANTIATE_TEST_SUITE_P(All, Sizes, testing::ValuesIn(algorithms()), named);

}  // namespace
