#include "schedule/block_set.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

using namespace hopbine;

TEST(BlockSet, Texts) {
    EXPECT_EQ(BlockSet::of({7, 0, 1, 3, 2, 3}).text(), "0-3;7");
    EXPECT_EQ(BlockSet().text(), "");
    EXPECT_EQ(BlockSet::circular(6, 4, 8).text(), "0-1;6-7");
}

TEST(BlockSet, BehavesLikeASet) {
    std::mt19937 random(7);
    for (int trial = 0; trial < 500; ++trial) {
        const int p = 1 + static_cast<int>(random() % 200);
        std::set<Block> a, b;
        for (unsigned i = random() % 60; i-- > 0;) a.insert(static_cast<Block>(random() % p));
        for (unsigned i = random() % 60; i-- > 0;) b.insert(static_cast<Block>(random() % p));
        const BlockSet x = BlockSet::of({a.begin(), a.end()}),
                       y = BlockSet::of({b.begin(), b.end()});
        std::vector<Block> minus, plus, rotated;
        const int by = static_cast<int>(random() % 1000) - 500;
        for (Block e : a) {
            if (!b.count(e)) minus.push_back(e);
            rotated.push_back(((e + by) % p + p) % p);
        }
        plus.assign(a.begin(), a.end());
        plus.insert(plus.end(), b.begin(), b.end());
        ASSERT_EQ(x.minus(y), BlockSet::of(minus));
        ASSERT_EQ(x.plus(y), BlockSet::of(plus));
        ASSERT_EQ(x.rotated(by, p), BlockSet::of(rotated));
        ASSERT_EQ(x.size(), static_cast<Block>(a.size()));
        for (int e = 0; e < p; ++e) ASSERT_EQ(x.contains(e), a.count(e) == 1);
        for (std::size_t i = 1; i < x.runs().size(); ++i)
            ASSERT_LT(x.runs()[i - 1].hi, x.runs()[i].lo);
    }
}
