#include "select/site.hpp"

#include <gtest/gtest.h>

using namespace hopbine;
using namespace hopbine::select;

namespace {

std::string shape(std::vector<int> group, std::vector<int> node) {
    return placement_shape(LocatedRanks(Placement{std::move(group), std::move(node)}));
}

/// Ranks on nodes of `sizes`, node by node; `groups` are those of the nodes.
Placement in_blocks(const std::vector<int>& sizes, const std::vector<int>& groups) {
    Placement out;
    for (std::size_t n = 0; n < sizes.size(); ++n) {
        out.node.insert(out.node.end(), static_cast<std::size_t>(sizes[n]), static_cast<int>(n));
        out.group.insert(out.group.end(), static_cast<std::size_t>(sizes[n]), groups[n]);
    }
    return out;
}

std::string shape_in_blocks(const std::vector<int>& sizes, const std::vector<int>& groups) {
    return placement_shape(LocatedRanks(in_blocks(sizes, groups)));
}

}  // namespace

TEST(PlacementShape, ReadsAsNodesOfRanksInGroups) {
    EXPECT_EQ(shape({0, 0, 0}, {0, 0, 0}), "1x3");
    EXPECT_EQ(shape_in_blocks({4, 4}, {0, 0}), "2x4");
    EXPECT_EQ(shape_in_blocks({4, 4, 2}, {0, 0, 0}), "2x4+1x2");
    EXPECT_EQ(shape_in_blocks({1, 1, 1, 1}, {0, 0, 1, 1}), "2*2x1");
    EXPECT_EQ(shape_in_blocks({2, 2, 2, 1}, {0, 1, 1, 2}), "1x2,2x2,1x1");
}

TEST(PlacementShape, DoesNotDependOnNames) {
    EXPECT_EQ(shape({7, 7, 3}, {9, 8, 1}), shape({0, 0, 1}, {0, 1, 2}));
}

TEST(PlacementShape, DependsOnTheOrderOfTheRanks) {
    EXPECT_EQ(shape({0, 0, 0, 0}, {0, 1, 0, 1}), "2x2 cyclic");
    const std::string one = shape({0, 0, 0, 0}, {0, 1, 1, 0});
    EXPECT_EQ(one.substr(0, 4), "2x2 ");
    EXPECT_NE(one, shape({0, 0, 0, 0}, {0, 1, 0, 1}));
    EXPECT_NE(one, "2x2");
    // Nodes in blocks, but their groups in turns.
    EXPECT_NE(shape({0, 1, 0, 1}, {0, 1, 2, 3}), shape({0, 0, 1, 1}, {0, 1, 2, 3}));
}

TEST(PlacementShape, IsShortForEveryJob) {
    std::vector<int> sizes, groups;
    for (int n = 0; n < 300; ++n) sizes.push_back(1 + n % 7), groups.push_back(n / 9);
    const std::string all = shape_in_blocks(sizes, groups);
    EXPECT_LE(all.size(), 60u);
    EXPECT_EQ(all.substr(0, 22), "34 groups, 300 nodes: ");
    sizes[5] += 1;
    EXPECT_NE(shape_in_blocks(sizes, groups), all);
}

TEST(MachineWord, HasNoFoldersAndNoEnding) {
    EXPECT_EQ(machine_word("leonardo"), "leonardo");
    EXPECT_EQ(machine_word("/etc/machines/big.toml"), "big");
    EXPECT_EQ(machine_word("torus:8x8x8"), "torus:8x8x8");
    EXPECT_EQ(machine_word("etc/"), "etc");
    EXPECT_EQ(machine_word("/"), "");
}

TEST(LibraryWord, IsTheNameWithTheVersion) {
    EXPECT_EQ(library_word("Open MPI v5.0.11, package: Open MPI of somebody, ident: 5"),
              "Open MPI v5.0.11");
    EXPECT_EQ(library_word("MPICH Version:\t 5.0.1\nMPICH Release date:  now"),
              "MPICH Version: 5.0.1");
    EXPECT_EQ(library_word(""), "");
}

TEST(CoresWord, TellsHowManyARankHasOrHowManyShareOne) {
    EXPECT_EQ(cores_word(64, 64), "1");
    EXPECT_EQ(cores_word(64, 8), "8");
    EXPECT_EQ(cores_word(64, 48), "1");
    EXPECT_EQ(cores_word(2, 4), "1/2");
    EXPECT_EQ(cores_word(2, 3), "1/2");  // one of them has two ranks
    EXPECT_EQ(cores_word(0, 4), "");
}
