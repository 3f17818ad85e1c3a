#include "statistics/rank_runs.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace hopbine::mpi {
namespace {

TEST(RankRuns, AreOfOneStep) {
    const std::vector<std::pair<std::vector<int>, std::string>> known = {
        {{}, ""},
        {{7}, "7"},
        {{0, 1, 2, 3}, "0-3"},
        {{3, 2, 1, 0}, "3-0"},
        {{1, 5, 9, 13}, "1-13/4"},
        {{12, 8, 4, 0, 5}, "12-0/4,5"},
        {{0, 9, 4, 5}, "0,9,4-5"},
        {{0, 4}, "0,4"},
        {{0, 1, 5, 9, 13}, "0-1,5-13/4"},
    };
    for (const auto& [ranks, text] : known) EXPECT_EQ(rank_runs(ranks), text);
}

}  // namespace
}  // namespace hopbine::mpi
