// What a rank finds of a Bine tree by itself is what a tree of all ranks has.
#include "families/bine/bine_local.hpp"

#include <gtest/gtest.h>

#include "families/bine/bine.hpp"
#include "families/tree/tree.hpp"

using namespace hopbine;

namespace {

bool equal(const Schedule& a, const Schedule& b, int p) {
    if (a.steps() != b.steps()) return false;
    for (int s = 0; s < a.steps(); ++s)
        for (int r = 0; r < p; ++r) {
            Step x, y;
            a.moves(r, s, x);
            b.moves(r, s, y);
            if (x.size() != y.size()) return false;
            for (std::size_t i = 0; i < x.size(); ++i)
                if (x[i].direction != y[i].direction || x[i].op != y[i].op ||
                    x[i].peer != y[i].peer || x[i].blocks != y[i].blocks)
                    return false;
        }
    return true;
}

TEST(BineLocal, TreesAreThoseOfAllRanks) {
    for (int p = 1; p <= 2048; p *= 2) {
        const Tree halving = bine::halving_tree(p), doubling = bine::doubling_tree(p);
        for (int r = 0; r < p; ++r) {
            ASSERT_EQ(bine::halving_step(r, p), halving.when[r]) << r << " of " << p;
            ASSERT_EQ(bine::doubling_step(r, p), doubling.when[r]) << r << " of " << p;
            ASSERT_EQ(bine::halving_subtree(r, p), BlockSet::of(halving.subtree(r)))
                << r << " of " << p;
        }
    }
}

TEST(BineLocal, SchedulesAreThoseOfTheTree) {
    for (int p = 1; p <= 256; p *= 2)
        for (int root : {0, p / 3, p - 1}) {
            EXPECT_TRUE(
                equal(*bine::halving_bcast(p, root), *tree_bcast(bine::halving_tree(p), root), p))
                << p;
            EXPECT_TRUE(equal(*bine::halving_scatter(p, root),
                              *tree_scatter(bine::halving_tree(p), root), p))
                << p;
            const auto whole = [p](int) { return BlockSet::range(0, p); };
            EXPECT_TRUE(
                equal(*bine::doubling_walk(p, whole),
                      *tree_walk(std::make_shared<const Tree>(bine::doubling_tree(p)), whole), p))
                << p;
        }
}

}  // namespace
