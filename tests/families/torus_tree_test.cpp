// Trees on tori against the papers, with every port in its own direction.
#include "families/torus/torus_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "families/bine/bine.hpp"
#include "families/torus/dimension_order.hpp"
#include "families/torus/swing.hpp"
#include "schedule/algorithm.hpp"

using namespace hopbine;

namespace {

torus::Line walked(torus::TreeOf tree) {
    return [tree](int n) { return tree_bcast(tree(n), 0); };
}

Tree product(const torus::Shape& shape, const torus::Line& line, int first = 0) {
    return torus::spread(shape, torus::lines_of(shape, line), first);
}

std::vector<int> children(const Tree& t, int v) {
    return {t.children.begin() + t.first_child[v], t.children.begin() + t.first_child[v + 1]};
}

TEST(TorusTree, IsTheOneOfThePaper) {  // App. D.1, Fig. 16, which begins with the last coordinate
    const Tree t = product({4, 4}, walked(bine::halving_tree), 1);
    EXPECT_EQ(children(t, 0), (std::vector{3, 12, 1, 4}));
    EXPECT_EQ(t.subtree(3).size(), 8u);
}

TEST(TorusTree, IsTheTreeOnOneDimension) {
    for (int n = 1; n <= 40; ++n)
        for (torus::TreeOf tree : {bine::halving_tree, bine::doubling_tree}) {
            const Tree line = tree(n);
            for (const torus::Shape& shape :
                 {torus::Shape{n}, torus::Shape{n, 1}, torus::Shape{1, n}}) {
                const Tree t = product(shape, walked(tree));
                EXPECT_EQ(t.parent, line.parent) << n;
                EXPECT_EQ(t.when, line.when) << n;
                EXPECT_EQ(t.order, line.order) << n;
            }
        }
}

TEST(TorusTree, TheTreeOfAButterflyIsTheDistanceDoublingOne) {
    for (const torus::Shape& shape :
         {torus::Shape{2}, {4}, {6}, {14}, {32}, {4, 4}, {6, 4}, {2, 8, 10}})
        EXPECT_EQ(product(shape, swing::line).parent,
                  product(shape, walked(bine::doubling_tree)).parent);
}

/// Dimension and direction of a neighbour on the shorter way; none is half way around.
std::pair<int, int> direction(const torus::Shape& shape, int from, int to) {
    for (int d = static_cast<int>(shape.size()) - 1; d >= 0;
         from /= shape[d], to /= shape[d], --d) {
        const int n = shape[d], hops = ((to - from) % n + n) % n;
        if (hops != 0) return {d, 2 * hops < n ? 1 : -1};
    }
    return {-1, 0};
}

TEST(TorusTree, ChannelsOfASquareTorusNeverShareALink) {
    for (const auto& [c, name] : {std::pair(Collective::bcast, "torus_bine"),
                                  {Collective::reduce, "torus_bine"},
                                  {Collective::scatter, "torus_bine"},
                                  {Collective::gather, "torus_bine"},
                                  {Collective::bcast, "swing"},
                                  {Collective::bcast, "torus_bine_large"},
                                  {Collective::bcast, "swing_large"},
                                  {Collective::reduce, "torus_bine_large"},
                                  {Collective::reduce, "swing_large"},
                                  {Collective::alltoall, "torus_bine"}})
        for (const torus::Shape& shape : {torus::Shape{8}, {4, 4}, {8, 8}, {4, 4, 4}}) {
            const int p = torus::ranks(shape);
            const SchedulePtr s =
                schedule(algorithm_named(c, name),
                         {c, p, rooted(c) ? p / 3 : 0, {{"ports", 1}}, nullptr, shape});
            Step now;
            for (int t = 0; t < s->steps(); ++t)
                for (int r = 0; r < p; ++r) {
                    now.clear();
                    s->moves(r, t, now);
                    std::set<std::pair<int, int>> used;
                    for (const Move& m : now) {
                        const bool alone = m.direction == Direction::recv ||
                                           used.insert(direction(shape, r, m.peer)).second;
                        EXPECT_TRUE(alone) << name << " step " << t << " rank " << r;
                    }
                }
        }
}

/// Directions in which the root sends, channel by channel.
TEST(TorusTree, BineGoesRoundTheDirections) {  // App. D.4: E N W S, N W S E, W S E N, S E N W
    const torus::Shape shape = {4, 4};
    const SchedulePtr s = schedule(algorithm_named(Collective::bcast, "torus_bine"),
                                   {Collective::bcast, 16, 5, {}, nullptr, shape});
    std::vector<std::vector<std::pair<int, int>>> went(4);
    Step now;
    for (int t = 0; t < s->steps(); ++t) {
        now.clear();
        s->moves(5, t, now);
        for (const Move& m : now)
            went[static_cast<std::size_t>(m.channel)].push_back(direction(shape, 5, m.peer));
    }
    for (std::size_t c = 0; c < 4; ++c) {
        EXPECT_EQ(went[c].size(), 4u);
        std::rotate(went[0].begin(), went[0].begin() + (c > 0), went[0].end());
        EXPECT_EQ(went[c], went[0]) << c;
    }
}

}  // namespace
