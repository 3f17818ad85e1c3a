#include "statistics/arrivals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "select/json.hpp"
#include "statistics/arrivals_packed.hpp"

namespace hopbine::mpi {
namespace {

constexpr int kRanks = 3;

/// The ranks of a communicator, each of which keeps its own times.
std::vector<Arrivals> ranks_of(const std::string& names = "0-2") {
    std::vector<Arrivals> out;
    for (int r = 0; r < kRanks; ++r) out.emplace_back(7, r, kRanks, r == 0 ? names : "");
    return out;
}

std::vector<std::string> packed(const std::vector<Arrivals>& ranks, std::size_t most = kKept) {
    std::vector<std::string> out;
    for (const Arrivals& one : ranks) out.push_back(one.packed(most));
    return out;
}

/// Ranks 0 and 1 are on one node, others on nodes of their own.
std::string compared(const std::vector<std::string>& ranks) {
    std::vector<std::string> nodes;
    for (std::size_t r = 0; r < ranks.size(); ++r) nodes.push_back(std::to_string(r ? r - 1 : 0));
    return compared_arrivals(ranks, nodes);
}

json::Value told(const std::vector<std::string>& ranks) {
    return json::parse(compared(ranks), "arrivals");
}

std::vector<double> numbers(const json::Value& of, const std::string& name) {
    std::vector<double> out;
    for (const json::Value& one : of.find(name)->items) out.push_back(one.number);
    return out;
}

/// What is kept of `begun` at rank 0, which here are the numbers of the calls.
std::vector<float> calls_kept(const std::string& packed) {
    PackedReader in(packed);
    const std::size_t kept = in.header().kept;
    in.floats(2 * kept);
    return in.floats(kept);
}

TEST(Arrivals, ABoundedNumberOfCallsIsKept) {
    constexpr int kCalls = 1 << 20;
    Arrivals one(7, 0, kRanks, "0-2");
    for (int k = 0; k < kCalls; ++k) one.add(&one, {0, 0, static_cast<float>(k)});
    for (const std::size_t most : {kKept, std::size_t{100}}) {
        const std::vector<float> kept = calls_kept(one.packed(most));
        EXPECT_LE(kept.size(), most);
        EXPECT_GE(kept.size(), most / 3);
        EXPECT_TRUE(std::ranges::is_sorted(kept));
        // From all of the job, and of a program's loops of few calls each in turn.
        double mean = 0;
        for (const int period : {2, 3, 4, 5, 16}) {
            std::vector<int> of(static_cast<std::size_t>(period));
            for (const float k : kept) ++of[static_cast<std::size_t>(static_cast<int>(k) % period)];
            for (const int n : of)
                EXPECT_NEAR(n * period, static_cast<double>(kept.size()),
                            5 * std::sqrt(static_cast<double>(kept.size()) * period));
        }
        for (const float k : kept) mean += k / static_cast<double>(kept.size());
        EXPECT_NEAR(mean / kCalls, 0.5, 0.1);
    }
}

TEST(Arrivals, FewCallsAreAllKept) {
    Arrivals one(7, 0, kRanks, "0-2");
    for (std::size_t k = 0; k < kKept; ++k) one.add(&one, {0, 0, static_cast<float>(k)});
    EXPECT_EQ(calls_kept(one.packed(kKept)).size(), kKept);
}

TEST(Arrivals, WhoIsLastWasShortestInside) {
    std::vector<Arrivals> ranks = ranks_of();
    // Rank 2 comes last in three calls of four, by 3 and 1 s; rank 0 in the other.
    for (int k = 0; k < 40; ++k) {
        const bool usual = k % 4 != 0;
        const float begun = static_cast<float>(k);
        ranks[0].add(&ranks, {usual ? 4.F : 2.F, usual ? 1.F : 5.F, begun});
        ranks[1].add(&ranks, {usual ? 2.F : 4.F, 3, begun});
        ranks[2].add(&ranks, {usual ? 1.F : 3.F, usual ? 4.F : 2.F, begun});
    }
    const json::Value all = told(packed(ranks));
    ASSERT_EQ(all.find("communicators")->items.size(), 1);
    const json::Value& one = all.find("communicators")->items[0];
    EXPECT_EQ(one.find("ranks")->string, "0-2");
    EXPECT_EQ(one.find("comm_size")->number, 3);
    EXPECT_EQ(one.find("calls")->number, 40);
    EXPECT_EQ(one.find("compared")->number, 40);
    EXPECT_EQ(numbers(one, "last"), (std::vector<double>{10, 0, 30}));
    // The others wait for rank 2 for (3 + 1) / 2 s in 30 calls of 40, for rank 0 (2 + 1) / 2 in 10.
    EXPECT_EQ(numbers(one, "waited_for"), (std::vector<double>{0.375, 0, 1.5}));
    EXPECT_EQ(numbers(one, "waited"), (std::vector<double>{2.25, 1.25, 0.25}));
    EXPECT_EQ(numbers(one, "inside"), (std::vector<double>{3.5, 2.5, 1.5}));
    EXPECT_EQ(numbers(one, "outside"), (std::vector<double>{2, 3, 3.5}));
    ASSERT_EQ(one.find("late_in_parts")->items.size(), numbers(one, "begun").size());
    for (const json::Value& part : one.find("late_in_parts")->items) {
        double sum = 0;
        for (const json::Value& late : part.items) sum += late.number;
        EXPECT_NEAR(sum, 0, 1e-3);
    }
}

/// The number that a part of the job has in an array; -1: null.
double in_part(const json::Value& one, const std::string& name, std::size_t part) {
    const json::Value& found = one.find(name)->items[part];
    return found.kind == json::Kind::null ? -1 : found.number;
}

TEST(Arrivals, EachPartTellsWhoIsMostlyLatestAndLongestOutside) {
    std::vector<Arrivals> ranks = ranks_of();
    // In the first half rank 1 comes last and is longest outside; its node's other rank is neither.
    // In the second half both are.
    for (int k = 0; k < 640; ++k) {
        const bool second = k >= 320, odd = k % 3 == 0;
        ranks[0].add(&ranks, {second ? 0.9F : 3.F, second ? 9.F : 1.F, 0});
        ranks[1].add(&ranks, {odd ? 2.5F : 1.F, 9.5F, 0});
        ranks[2].add(&ranks, {odd ? 0.5F : 2.F, 5, 0});
    }
    const json::Value all = told(packed(ranks));
    const json::Value& one = all.find("communicators")->items[0];
    ASSERT_EQ(one.find("latest_node")->items.size(), 32);
    for (std::size_t part = 0; part < 32; ++part) {
        EXPECT_EQ(in_part(one, "latest_node", part), part < 16 ? 2 : 0) << part;
        EXPECT_EQ(in_part(one, "longest_node", part), part < 16 ? 2 : 0) << part;
        EXPECT_EQ(in_part(one, "latest_rank", part), part < 16 ? 1 : 0) << part;
        EXPECT_EQ(in_part(one, "longest_rank", part), 1) << part;
    }
}

TEST(Arrivals, NodesThatAreOftenLatestAlikeAreNoFirst) {
    std::vector<Arrivals> ranks = ranks_of();
    for (int k = 0; k < 64; ++k)
        for (int r = 0; r < kRanks; ++r)
            ranks[static_cast<std::size_t>(r)].add(&ranks, {(r == 2) == (k % 2) ? 1.F : 2.F, 1, 0});
    const json::Value all = told(packed(ranks));
    EXPECT_EQ(in_part(all.find("communicators")->items[0], "latest_node", 5), -1);
}

TEST(Arrivals, ACallThatARankMayLeaveEarlyTellsNothing) {
    std::vector<Arrivals> ranks = ranks_of();
    for (int k = 0; k < 10; ++k)
        for (int r = 0; r < kRanks; ++r)
            ranks[static_cast<std::size_t>(r)].add(
                &ranks, {k % 2 && r == 1 ? NAN : static_cast<float>(r + 1), 1, 0});
    const json::Value all = told(packed(ranks));
    const json::Value& one = all.find("communicators")->items[0];
    EXPECT_EQ(one.find("calls")->number, 10);
    EXPECT_EQ(one.find("compared")->number, 5);
    EXPECT_EQ(numbers(one, "last"), (std::vector<double>{5, 0, 0}));
}

TEST(Arrivals, ARankThatIsInterruptedOnceIsNotLateInItsPart) {
    std::vector<Arrivals> ranks = ranks_of();
    for (int k = 0; k < 960; ++k)  // 30 a part
        for (int r = 0; r < kRanks; ++r)
            ranks[static_cast<std::size_t>(r)].add(&ranks,
                                                   {k % 30 == 5 && r != 1 ? 100.F : 1.F, 1, 0});
    const json::Value all = told(packed(ranks));
    for (const json::Value& part : all.find("communicators")->items[0].find("late_in_parts")->items)
        EXPECT_DOUBLE_EQ(part.items[1].number, 0);
}

TEST(Arrivals, RanksThatCannotBeComparedAreNot) {
    const auto why = [](const std::vector<std::string>& of) {
        const json::Value all = told(of);
        EXPECT_TRUE(all.find("communicators")->items.empty());
        return compared(of);
    };
    std::vector<Arrivals> ranks = ranks_of();
    for (Arrivals& one : ranks) one.add(&ranks, {});
    std::vector<std::string> two = packed(ranks);
    two.pop_back();
    EXPECT_NE(why(two).find("\"too many communicators on some ranks\": 1"), std::string::npos);
    ranks[1].add(&ranks, {});
    EXPECT_NE(why(packed(ranks)).find("\"other calls on some ranks\": 1"), std::string::npos);
    ranks[1].add(&two, {});
    EXPECT_NE(why(packed(ranks)).find("\"several threads made the calls\": 1"), std::string::npos);
    EXPECT_EQ(told({"", ""}).find("communicators")->items.size(), 0);
}

TEST(Arrivals, TheFileHasTheCommunicatorsOfMostRanks) {
    constexpr int kOfOne = 1 << 17;
    std::vector<std::string> ranks(kOfOne);
    for (const int size : {3, 2, kOfOne})
        for (int r = 0; r < size; ++r)
            ranks[static_cast<std::size_t>(r)] +=
                Arrivals(static_cast<std::uint64_t>(size), r, size, r == 0 ? "x" : "").packed(1);
    for (int r = 0; r < kOfOne; ++r)
        ranks[static_cast<std::size_t>(r)] += Arrivals(9, r, kOfOne, r == 0 ? "y" : "").packed(1);
    const std::string all = compared(ranks);
    EXPECT_NE(all.find("\"ranks\": \"x\", \"comm_size\": 131072,"), std::string::npos);
    EXPECT_NE(all.find("\"ranks\": \"y\", \"comm_size\": 131072,"), std::string::npos);
    EXPECT_EQ(all.find("\"comm_size\": 2,"), std::string::npos);
    EXPECT_NE(all.find("\"others have more ranks or calls\": 2}"), std::string::npos);
    EXPECT_LT(all.size(), 20 << 20);
}

TEST(Arrivals, WhatIsGatheredIsBounded) {
    EXPECT_EQ(most_gathered(4, 1), kKept);
    EXPECT_EQ(most_gathered(4, 0), kKept);
    EXPECT_EQ(most_gathered(100000000, 1), 1);
    for (const std::size_t ranks : {1000, 4097, 65536})
        EXPECT_LE(ranks * 64 * most_gathered(ranks, 64) * 2 * sizeof(float), 32 << 20);
    EXPECT_GE(most_gathered(65536, 1), 64);
}

}  // namespace
}  // namespace hopbine::mpi
