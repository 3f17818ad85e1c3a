#include "watch/findings.hpp"

#include <gtest/gtest.h>

#include "watch/archive.hpp"
#include "watch/calls.h"
#include "watch/function.hpp"
#include "watch/reports.hpp"

namespace hopbine::watch {

namespace {

constexpr std::uint64_t kWorld = 7;

CallView call(std::uint32_t function, std::uint64_t sequence) {
    CallView out;
    out.number = function;
    out.comm = function < WATCH_COLLECTIVES ? kWorld : 0;
    out.sequence = sequence;
    out.site = "f+0x" + std::to_string(function);
    return out;
}

/// Ranks that have left the first call and are in the second one for 5 seconds.
Views in_barrier(int ranks) {
    Views out;
    for (int r = 0; r < ranks; ++r) {
        RankView one;
        one.rank = r;
        one.ranks = ranks;
        one.process = 100 + r;
        one.node = "n" + std::to_string(r / 2);
        one.comms = {{kWorld, 2, ranks, r, "MPI_COMM_WORLD", "", 0}};
        one.threads = {{true, 5, 0, call(WATCH_Barrier, 2), call(WATCH_Bcast, 1), 0, ""}};
        out.push_back(one);
    }
    return out;
}

void leave(RankView& rank) {
    ThreadView& thread = rank.threads.front();
    thread.inside = false;
    thread.now = {};
    rank.comms.front().sequence = 1;
}

std::string line(const std::string& site) { return site; }

}  // namespace

TEST(WatchFindings, NobodyHasWaitedForLong) {
    EXPECT_TRUE(find(in_barrier(4), 6).empty());
    EXPECT_EQ(find(in_barrier(4), 5).size(), 1u);
}

TEST(WatchFindings, EveryRankCanBeTheOneThatIsMissing) {
    for (int guilty = 0; guilty < 8; ++guilty) {
        Views views = in_barrier(8);
        leave(views[static_cast<std::size_t>(guilty)]);
        const std::vector<Finding> found = find(views, 1);
        ASSERT_EQ(found.size(), 1u);
        ASSERT_EQ(found[0].missing.size(), 1u);
        EXPECT_EQ(found[0].missing[0]->rank, guilty);
        EXPECT_EQ(found[0].in.size(), 7u);
        EXPECT_EQ(found[0].unknown, 0);
    }
}

TEST(WatchFindings, NodesThatDoNotAnswerAreCounted) {
    Views views = in_barrier(8);
    views.resize(5);
    EXPECT_EQ(find(views, 1).at(0).unknown, 3);
}

TEST(WatchFindings, WhatDiffersBetweenTwoCalls) {
    const auto differs = [](auto change) {
        Views views = in_barrier(4);
        change(views[2].threads.front().now);
        const std::vector<Finding> found = find_mismatches(views);
        return found.empty() ? "" : std::to_string(found[0].other.rank->rank) + found[0].difference;
    };
    EXPECT_EQ(differs([](CallView&) {}), "");
    EXPECT_EQ(differs([](CallView& c) { c.number = WATCH_Bcast; }), "2the function");
    EXPECT_EQ(differs([](CallView& c) { c.number |= WATCH_LARGE; }), "");
    EXPECT_EQ(differs([](CallView& c) { c.root = 1; }), "2the root");
    EXPECT_EQ(differs([](CallView& c) { c.operation = "MPI_MAX"; }), "2the operation");
    EXPECT_EQ(differs([](CallView& c) { c.bytes = 8; }), "");     // that may differ
    EXPECT_EQ(differs([](CallView& c) { c.in_place = 1; }), "");  // it may be on some
    EXPECT_EQ(differs([](CallView& c) { c.commutes = 0; }), "");  // it is not known of the others
    EXPECT_EQ(differs([](CallView& c) { c.sequence = 0; }), "");  // it has failed
    EXPECT_EQ(differs([](CallView& c) {
                  c.comm = 0;
                  c.root = 1;
              }),
              "");
}

TEST(WatchFindings, InPlaceOnSomeRanksAndWhetherTheOperationCommutes) {
    const auto differs = [](std::int8_t CallView::* what) {
        Views views = in_barrier(4);
        for (RankView& r : views) r.threads.front().now.*what = r.rank != 1;
        const std::vector<Finding> found = find_mismatches(views);
        return found.empty() ? "" : std::to_string(found[0].other.rank->rank) + found[0].difference;
    };
    EXPECT_EQ(differs(&CallView::in_place), "1MPI_IN_PLACE on some ranks only");
    EXPECT_EQ(differs(&CallView::commutes), "1whether the operation commutes");
}

/// MPI_IN_PLACE is compared where MPI 4.1 says that all ranks give it.
TEST(WatchFunction, InPlace) {
    watch_record record{};
    record.in_place = -1;
    record.handle_bits = ~std::uint64_t{0};
    watch_call call{};
    call.words[0] = -1;
    const auto in_place = [&](std::uint32_t function) {
        CallView out;
        call.function = function;
        read_arguments(call, record, out);
        return int{out.in_place};
    };
    for (const auto f : {WATCH_Allreduce, WATCH_Iallgather, WATCH_Allgatherv_init, WATCH_Alltoall,
                         WATCH_Alltoallv, WATCH_Alltoallw, WATCH_Reduce_scatter_block})
        EXPECT_EQ(in_place(f), 1) << name_of(f);
    for (const auto f : {WATCH_Reduce, WATCH_Gather, WATCH_Scatterv, WATCH_Reduce_scatter,
                         WATCH_Scan, WATCH_Exscan, WATCH_Bcast, WATCH_Barrier})
        EXPECT_EQ(in_place(f), -1) << name_of(f);
    call.words[0] = 0;
    EXPECT_EQ(in_place(WATCH_Allreduce), 0);
}

/// Where all is known of both calls.
TEST(WatchFindings, DigestsDifferWhereCallsDo) {
    CallView one = call(WATCH_Allreduce, 1);
    one.operation = "MPI_SUM";
    one.commutes = 1;
    one.in_place = 0;
    one.bytes = 8;
    one.same_bytes = true;
    const auto changes = {+[](CallView& c) { c.number = WATCH_Barrier; },
                          +[](CallView& c) { c.number = WATCH_Iallreduce; },
                          +[](CallView& c) { c.root = 2; },
                          +[](CallView& c) { c.operation = "MPI_MAX"; },
                          +[](CallView& c) { c.commutes = 0; },
                          +[](CallView& c) { c.in_place = 1; },
                          +[](CallView& c) { c.bytes = 16; }};
    for (const auto change : changes) {
        CallView other = one;
        change(other);
        EXPECT_NE(difference(one, other), "");
        EXPECT_NE(digest(one), digest(other)) << difference(one, other);
    }
    for (const auto same :
         {+[](CallView& c) { c.site = "elsewhere"; }, +[](CallView& c) { c.number |= WATCH_LARGE; },
          +[](CallView& c) { c.count = 1, c.type = "MPI_DOUBLE"; }}) {
        CallView other = one;
        same(other);
        EXPECT_EQ(difference(one, other), "");
        EXPECT_EQ(digest(one), digest(other));
    }
}

TEST(WatchFindings, MessagesAreOfInterestWhereNobodyGoesOn) {
    Views views = in_barrier(3);
    for (RankView& r : views) r.threads.front().now = call(WATCH_Recv, 0);
    EXPECT_EQ(find(views, 1).size(), 1u);
    leave(views[1]);  // it computes, and may send later
    EXPECT_TRUE(find(views, 1).empty());
    views[1].life = Life::stopped;
    ASSERT_EQ(find(views, 1).size(), 1u);
    EXPECT_EQ(find(views, 1)[0].missing[0]->rank, 1);
}

TEST(WatchReports, WhatHasNotChangedIsToldOnce) {
    Reports reports(1, line);
    Views views = in_barrier(4);
    leave(views[2]);
    const std::string first = reports.about(views);
    EXPECT_NE(first.find("ranks 0-1,3 have waited for 5.0 s in MPI_Barrier"), first.npos) << first;
    EXPECT_NE(first.find("rank 2 on n1, process 102, has not come: it is outside of MPI"),
              first.npos);
    views[2].threads.front().seconds = 9;
    EXPECT_EQ(reports.about(views), "");
    views[2].life = Life::stopped;
    EXPECT_NE(reports.about(views).find("is stopped"), first.npos);
    for (RankView& r : views) leave(r);
    EXPECT_NE(reports.about(views).find("nobody waits any more in MPI_Barrier"), first.npos);
    EXPECT_FALSE(reports.open());
}

TEST(WatchReports, AWaitThatBeganSinceTheLastLookHasNoLengthYet) {
    Views views = in_barrier(2);
    views[0].threads.front().seconds = 0;
    views[0].threads.front().unseen = 10;
    const std::string text = Reports::all(views, line);
    EXPECT_NE(text.find("at f+0x" + std::to_string(WATCH_Barrier) + " for less than 10 s"),
              text.npos)
        << text;
    EXPECT_NE(text.find("at f+0x" + std::to_string(WATCH_Barrier) + " for 5.0 s"), text.npos);
}

TEST(WatchReports, ThereIsALastOne) {
    Reports reports(1, line);
    std::string last;
    int told = 0;
    for (int i = 0; i < 20; ++i) {
        Views views = in_barrier(4);
        leave(views[2]);
        if (i % 2) views[2].life = Life::stopped;
        const std::string text = reports.about(views);
        if (!text.empty()) ++told, last = text;
    }
    EXPECT_EQ(told, Reports::kMost);
    EXPECT_NE(last.find("this is the last report"), last.npos);
}

TEST(WatchArchive, ViewsComeAsTheyWent) {
    const Views views = in_barrier(5);
    Writer writer;
    writer(views);
    Views back;
    Reader reader(writer.text());
    reader(back);
    Writer again;
    again(back);
    EXPECT_EQ(again.text(), writer.text());
    for (std::size_t bytes = 0; bytes < writer.text().size(); ++bytes) {
        const std::string part = writer.text().substr(0, bytes);
        Reader shorter(part);
        Views none;
        EXPECT_THROW(shorter(none), std::runtime_error) << bytes;
    }
}

TEST(WatchWords, Ranges) {
    EXPECT_EQ(ranges({}), "");
    EXPECT_EQ(ranges({3}), "3");
    EXPECT_EQ(ranges({5, 2, 1, 0, 7, 6}), "0-2,5-7");
}

}  // namespace hopbine::watch
