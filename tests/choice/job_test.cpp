// What ranks know of their job.
#include "choice/job.hpp"

#include <gtest/gtest.h>

#include "choice/job_text.hpp"

using namespace hopbine;
using namespace hopbine::mpi;

namespace {

/// Ranks on the nodes, in the groups, and what each has measured at the start.
Job job_on(const std::vector<std::uint64_t>& nodes, const std::vector<std::uint64_t>& groups) {
    Job out;
    for (std::size_t r = 0; r < nodes.size(); ++r) {
        JobRank& rank = out.ranks.emplace_back();
        rank.node = nodes[r];
        rank.group = groups[r];
    }
    return out;
}

TEST(Job, NumbersPlacesByTheirFirstRanks) {
    const Job job = job_on({70, 70, 30, 50}, {9, 9, 9, 2});
    const Placement all = job.placement(job.all());
    EXPECT_EQ(all.node, (std::vector<int>{0, 0, 1, 2}));
    EXPECT_EQ(all.group, (std::vector<int>{0, 0, 0, 1}));
    const Placement some = job.placement(std::vector<int>{3, 2});
    EXPECT_EQ(some.node, (std::vector<int>{0, 1}));
    EXPECT_EQ(some.group, (std::vector<int>{0, 1}));
}

TEST(Job, HasOneGroupWhereOneIsNotKnown) {
    EXPECT_EQ(job_on({1, 2}, {1, 0}).placement(std::vector<int>{0, 1}).group,
              (std::vector<int>{0, 0}));
    // A node in two groups.
    EXPECT_EQ(job_on({1, 1}, {1, 2}).placement(std::vector<int>{0, 1}).group,
              (std::vector<int>{0, 0}));
}

TEST(Job, RanksShareMemoryOnOneNodeThatNumbersThemTogether) {
    Job job = job_on({1, 1, 2, 1}, {1, 1, 1, 1});
    for (JobRank& r : job.ranks) r.memory = 5;
    job.ranks[3].memory = 0;
    EXPECT_TRUE(job.share_memory(std::vector<int>{0, 1}));
    EXPECT_FALSE(job.share_memory(std::vector<int>{0, 2}));
    EXPECT_FALSE(job.share_memory(std::vector<int>{0, 1, 3}));
}

/// The numbers of 16 bits and more are those of sets: two ranks on one set of four cores, one on
/// another of two.
TEST(Job, CountsCoresOfSetsOnce) {
    Job job = job_on({1, 1, 1, 2}, {1, 1, 1, 1});
    job.ranks[0].cores = job.ranks[1].cores = 7u << 16 | 4;
    job.ranks[2].cores = 8u << 16 | 2;
    job.ranks[3].cores = 9u << 16 | 64;
    EXPECT_EQ(job.cores(), "2");
}

/// Rank 1's library was the last to end, 3 ms before the barrier ended; in the barrier alone it was
/// for 1 ms.
TEST(Job, PricesTheStart) {
    std::vector<JobRank> ranks(3);
    for (JobRank& r : ranks) r.exchange = 2000;
    ranks[0].start = 9'000'000, ranks[0].barrier = 8'000'000;
    ranks[1].start = 3'000'000, ranks[1].barrier = 1'000'000;
    ranks[2].start = 5'000'000, ranks[2].barrier = 4'000'000;
    ranks[2].exchange = 90'000;
    Job job;
    job.hear(ranks, 0, "");
    EXPECT_DOUBLE_EQ(job.exchange, 2e-6);
    EXPECT_DOUBLE_EQ(job.start, 2e-3 + 2 * 2e-6);
    EXPECT_DOUBLE_EQ(job.waited, 7e-3);
    EXPECT_FALSE(job.threaded || job.progresses || job.device_loaded);
}

/// What is known of one library says nothing of another: ranks must decide alike.
TEST(Job, KnowsTheLibraryThatAllRanksHave) {
    std::vector<JobRank> ranks(4);
    for (JobRank& r : ranks) r.node = 1, r.cores = 7u << 16 | 2, r.library = 5;
    const select::KnownRatio& row = select::known_ratios().front();
    const Collective c = collective_named(row.collective);
    for (const bool shares : {true, false}) {
        if (!shares) ranks.resize(2);
        Job job;
        job.hear(ranks, 0, row.library);
        ASSERT_TRUE(job.known_library);
        EXPECT_EQ(job.known_library->untried(c, 8).mean,
                  select::KnownLibrary(row.library, shares).untried(c, 8).mean);
        ranks.back().library = 6;
        Job other;
        other.hear(ranks, 0, row.library);
        EXPECT_FALSE(other.known_library);
        ranks.back().library = 5;
    }
}

TEST(JobText, IsHeardAsItWasTold) {
    Job job = job_on({1}, {1});
    job.ranks[0].cores = 1u << 16 | 4;
    std::string text;
    for (const char* word : {"Open MPI v5.0.6", "cluster", "a processor", "tcp", "/a file", "1"})
        text += word + std::string(1, '\0');
    hear_text(text, job);
    EXPECT_EQ(job.site.mpi, "Open MPI v5.0.6");
    EXPECT_EQ(job.site.machine, "cluster");
    EXPECT_EQ(job.site.processor, "a processor");
    EXPECT_EQ(job.site.transport, "tcp");
    EXPECT_EQ(job.site.cores, "4");
    EXPECT_EQ(job.file, "/a file");
    EXPECT_TRUE(job.learns);
    EXPECT_TRUE(job.learned.rules.empty());
    Job other = job_on({1}, {1});
    hear_text("too short", other);
    EXPECT_FALSE(other.learns);
    EXPECT_TRUE(other.site.mpi.empty());
}

}  // namespace
