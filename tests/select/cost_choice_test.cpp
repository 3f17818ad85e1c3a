// The model of the choice by counting: what each term adds, by cases worked by hand.
#include "select/cost_choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "select/modelled_cases.hpp"

using namespace hopbine;
using namespace hopbine::select;

namespace {

/// Recursive doubling of 8 ranks reduces the whole vector in each of 3 steps; the ring reduces 7
/// eighths.
TEST(CostChoice, ReducedBytesTakeTime) {
    LinkCosts net = free_links();
    net.reduce_bandwidth = 1e9;
    const LocatedRanks here = flat(8);
    EXPECT_NEAR(seconds("recursive_doubling", here, net, kBytes), 3 * kBytes / 1e9, 1e-9);
    EXPECT_NEAR(seconds("ring", here, net, kBytes), 7. / 8 * kBytes / 1e9, 1e-9);
    EXPECT_NEAR(seconds("ring", here, net, kBytes, {}, Collective::allgather), 0, 1e-9);
}

/// The steps of 8 ranks move 1, 2 and 4 eighths. A copy takes as long as a transfer: in an
/// allgather that of the last 4 eighths is left, in a reduce_scatter that of the first 4, which it
/// sends.
TEST(CostChoice, CopiesBesideStepsTakeNoTimeOfTheirOwn) {
    LinkCosts net = free_links();
    net.rank_bandwidth = 1e9;
    net.memory_bandwidth = 2e9;
    const LocatedRanks here = flat(8);
    for (const Collective c : {Collective::allgather, Collective::reduce_scatter}) {
        EXPECT_NEAR(seconds("bine_permute", here, net, kBytes, {}, c), (7. / 8 + 1) * kBytes / 1e9,
                    1e-9);
        EXPECT_NEAR(seconds("bine_permute", here, net, kBytes, {{"overlap", 1}}, c),
                    (7. / 8 + 4. / 8) * kBytes / 1e9, 1e-9);
    }
    net.memory_bandwidth = 1e9;  // a copy takes twice as long: 2, 4 and 8 eighths
    EXPECT_NEAR(seconds("bine_permute", here, net, kBytes, {{"overlap", 1}}, Collective::allgather),
                (1. / 8 + 2. / 8 + 4. / 8 + 1) * kBytes / 1e9, 1e-9);
}

/// A permuted vector of 8 ranks has 8 blocks.
TEST(CostChoice, EveryBlockThatIsMovedTakesTime) {
    LinkCosts net = free_links();
    net.pack = 1e-6;
    for (const double bytes : {0., kBytes})
        EXPECT_NEAR(seconds("bine_permute", flat(8), net, bytes, {}, Collective::allgather), 8e-6,
                    1e-9);
}

/// A rendezvous for each of 3 steps of recursive doubling, or 14 of the ring, if their messages are
/// long. The ring's are an eighth of the vector.
TEST(CostChoice, LongMessagesWaitForTheirReceivers) {
    LinkCosts net = free_links();
    net.rendezvous = 10e-6;
    const LocatedRanks here = flat(8);
    const double of_long = 8 * LinkCosts::kLong;
    EXPECT_NEAR(seconds("recursive_doubling", here, net, of_long), 30e-6, 1e-9);
    EXPECT_NEAR(seconds("ring", here, net, of_long), 140e-6, 1e-9);
    EXPECT_NEAR(seconds("ring", here, net, of_long / 4), 35e-6, 1e-9);
    EXPECT_NEAR(seconds("recursive_doubling", here, net, of_long / 32), 7.5e-6, 1e-9);
}

/// Messages inside a node are copied, and wait for nobody.
TEST(CostChoice, MessagesInsideANodeHaveNoRendezvous) {
    LinkCosts net = free_links();
    net.rendezvous = 10e-6;
    const LocatedRanks one_node(Placement{std::vector<int>(8), std::vector<int>(8)});
    EXPECT_NEAR(seconds("ring", one_node, net, 1 << 20), 0, 1e-9);
}

/// A rank of a linear allgather has 7 messages in flight each way, one of a ring has one.
TEST(CostChoice, CardsCarryMessagesInFlightTogether) {
    LinkCosts net = free_links();
    net.rank_bandwidth = 1e9;
    const auto taken = [&](const char* algorithm) {
        return seconds(algorithm, flat(8), net, kBytes, {}, Collective::allgather);
    };
    const double whole = 7. / 8 * kBytes / 1e9;
    EXPECT_NEAR(taken("ring"), whole, 1e-9);
    EXPECT_NEAR(taken("linear"), whole, 1e-9);
    net.cards = 2;
    EXPECT_NEAR(taken("ring"), whole, 1e-9);
    EXPECT_NEAR(taken("linear"), whole / 2, 1e-9);
    net.cards = 16;
    EXPECT_NEAR(taken("linear"), whole / 7, 1e-9);
    // What is reduced comes in no faster.
    EXPECT_NEAR(seconds("pairwise", flat(8), net, kBytes, {}, Collective::reduce_scatter), whole,
                1e-9);
    EXPECT_NEAR(seconds("linear", flat(8), net, kBytes, {}, Collective::reduce), 8 * whole, 1e-9);
}

/// A chain of 8 ranks has 7 steps.
TEST(CostChoice, APipelineHasTheSegmentsThatAreGiven) {
    LinkCosts net = free_links();
    net.rank_bandwidth = 1e9;
    for (const std::int64_t n : {1, 2, 64})
        EXPECT_NEAR(seconds("chain", flat(8), net, kBytes, {{"segments", n}}, Collective::bcast),
                    static_cast<double>(7 + n - 1) / static_cast<double>(n) * kBytes / 1e9, 1e-9);
}

TEST(CostChoice, MoreBytesNeverTakeLessTime) {
    const LocatedRanks torus = flat(16, {4, 4});
    const LinkCosts net;
    int tried = 0;
    for (const Algorithm* a : algorithms()) {
        if (!counts(a->collective) || !fits(*a, 16) || pipelined(*a)) continue;
        if (a->refuses &&
            !a->refuses({.collective = a->collective, .p = 16, .shape = {4, 4}}).empty())
            continue;
        double before = 0;
        for (double bytes = 0; bytes < 1e10; bytes = 2 * bytes + 16, ++tried) {
            const double now = seconds(a->name, torus, net, bytes, {}, a->collective);
            EXPECT_GE(now, before) << name(a->collective) << ' ' << a->name << ' ' << bytes;
            before = now;
        }
    }
    EXPECT_GT(tried, 1000);
}

TEST(CostChoice, AlgorithmsOfToriAreCandidatesOnATorus) {
    const Placement place = one_rank_per_node(std::vector<int>(16));
    const auto of_tori = [&](const std::vector<int>& torus) {
        const auto all = candidates(Collective::allreduce, place, numberings(place), torus);
        return std::ranges::count_if(all,
                                     [](const Candidate& c) { return c.algorithm->follows_shape; });
    };
    EXPECT_EQ(of_tori({}), 0);
    EXPECT_EQ(of_tori({16}), 0);
    // bucket, swing, swing_small, torus_bine, torus_doubling and its small form, on one port and on
    // all; two Hamiltonian cycles of 4x4.
    EXPECT_EQ(of_tori({4, 4}), 13);
    EXPECT_EQ(of_tori({2, 2, 4}), 12);  // no such cycles are known
}

/// Candidates worth measuring on 16 nodes in groups of 5, 6 and 5.
class Shortlist {
public:
    explicit Shortlist(Collective c, const LinkCosts& net = {},
                       const Placement& place = one_rank_per_node(groups()))
        : net_(net), place_(place), located_(place_) {
        const auto all = numberings(place_);
        from_ = candidates(c, place_, all);
        for (const Candidate& one : from_)
            loads_.push_back(
                measure(one, all[static_cast<std::size_t>(one.numbering)], 0, located_));
    }
    std::vector<Candidate> candidates_of(double bytes) const {
        std::vector<Candidate> out;
        for (int i : shortlist({from_, loads_, net_, located_}, bytes, Operands::exact))
            out.push_back(from_[static_cast<std::size_t>(i)]);
        return out;
    }
    std::vector<std::string> names(double bytes) const {
        std::vector<std::string> out;
        for (const Candidate& c : candidates_of(bytes)) out.push_back(c.algorithm->name);
        return out;
    }
    /// The radix of the tree that is listed; 0: none, or its default.
    std::int64_t radix_of_tree(double bytes) const {
        for (const Candidate& c : candidates_of(bytes))
            if (is_tree(c.algorithm->name) && !c.parameters.empty())
                return c.parameters.front().second;
        return 0;
    }
    static bool is_tree(std::string_view name) {
        return name == "knomial" || name == "hierarchical_small";
    }
    /// Algorithms that serve this size: pipelines do not serve short vectors.
    std::ptrdiff_t algorithms(double bytes) const {
        std::set<const Algorithm*> out;
        for (std::size_t i = 0; i < from_.size(); ++i)
            if (std::isfinite(modelled_seconds(loads_[i], net_, located_, bytes)))
                out.insert(from_[i].algorithm);
        return std::ssize(out);
    }

private:
    static std::vector<int> groups() {
        std::vector<int> group(16, 1);
        std::fill(group.begin(), group.begin() + 5, 0);
        std::fill(group.begin() + 11, group.end(), 2);
        return group;
    }
    LinkCosts net_;
    Placement place_;
    LocatedRanks located_;
    std::vector<Candidate> from_;
    std::vector<Loads> loads_;
};

LinkCosts slow_links() {
    LinkCosts out;
    out.node_bandwidth = 1.25e7;
    out.taper = 4;
    out.node_latency = 5e-5;
    out.local_latency = out.global_latency = 1e-4;
    return out;
}

/// A reduce up a tree and what comes down it again: none has fewer messages. Also where links are
/// busy, unless the messages that it saves cannot make up for its modelled time.
TEST(CostChoice, TheShortlistHasTheFewestMessages) {
    const auto trees = [](const Shortlist& list, double bytes) {
        return std::ranges::count_if(list.names(bytes), Shortlist::is_tree);
    };
    for (Collective c :
         {Collective::allreduce, Collective::allgather, Collective::reduce_scatter}) {
        const Shortlist fast(c), slow(c, slow_links());
        for (double bytes : {8., 512., 4096.})
            EXPECT_EQ(trees(fast, bytes), 1) << name(c) << ' ' << bytes;
        for (double bytes : {8., 512.}) EXPECT_EQ(trees(slow, bytes), 1) << name(c) << ' ' << bytes;
        for (double bytes : {32768., 262144.})
            EXPECT_EQ(trees(slow, bytes), 0) << name(c) << ' ' << bytes;
    }
}

// On a root of radix k k - 1 vectors of each level follow one another.
TEST(CostChoice, TreesOfLongerVectorsHaveALowerRadix) {
    const Shortlist list(Collective::allreduce, slow_links());
    EXPECT_EQ(list.radix_of_tree(8), 8);
    EXPECT_EQ(list.radix_of_tree(4096), 2);
}

TEST(CostChoice, TheShortlistHasAPipelineWhereThereIsOne) {
    for (Collective c : {Collective::bcast, Collective::reduce}) {
        const Shortlist list(c, slow_links());
        for (double bytes : {4096., 32768., 262144.})
            EXPECT_EQ(std::ranges::count(list.names(bytes), "chain"), 1) << name(c) << ' ' << bytes;
    }
}

/// Eight ranks of one node: each step of a tree waits for a rank to get a core.
TEST(CostChoice, TheShortlistOfANodeHasTheFewestSteps) {
    const std::vector<int> zeros(8);
    for (Collective c : {Collective::bcast, Collective::scatter}) {
        const Shortlist list(c, {}, {zeros, zeros});
        for (double bytes : {8., 32768.})
            EXPECT_EQ(std::ranges::count(list.names(bytes), "linear"), 1) << name(c) << bytes;
    }
}

/// On 16 nodes of a group nothing tells these apart.
TEST(CostChoice, TheFirstPublishedOfEqualsServes) {
    const Placement place = one_rank_per_node(std::vector<int>(16));
    const LocatedRanks located(place);
    std::vector<Candidate> pair = candidates(Collective::allreduce, place, numberings(place));
    std::erase_if(pair, [](const Candidate& c) {
        const std::string_view name = c.algorithm->name;
        return name != "recursive_doubling" && name != "bine_small";
    });
    ASSERT_EQ(pair.size(), 2);
    std::vector<Loads> loads;
    for (const Candidate& c : pair) loads.push_back(measure(c, {"given", {}, {}}, 0, located));
    const int choice = choose_by_cost({pair, loads, {}, located}, 32, Operands::exact).candidate;
    EXPECT_STREQ(pair[static_cast<std::size_t>(choice)].algorithm->name, "recursive_doubling");
    for (const Algorithm* a : algorithms()) {
        const bool has_year =
            std::string_view(a->paper).find_first_of("0123456789") != std::string_view::npos;
        EXPECT_EQ(published(*a) < 2100, has_year) << a->name << ": " << a->paper;
        EXPECT_GE(published(*a), 1980) << a->name << ": " << a->paper;
    }
}

/// The first step's short messages of a nonblocking call pass beside computation: the hierarchy's
/// step has most of a reduce_scatter, and the ring's a sixteenth.
TEST(CostChoice, NonblockingCallsSendMuchAtOnce) {
    const LocatedRanks located(one_rank_per_node({0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2}));
    LinkCosts net = free_links();
    net.node_bandwidth = 12.5e6;
    net.taper = 4;
    const auto numbers = numberings(*located.placement);
    const auto chosen = [&](bool nonblocking, double bytes) {
        const auto all =
            candidates(Collective::allreduce, *located.placement, numbers, {}, nonblocking);
        std::vector<Loads> loads;
        for (const Candidate& c : all)
            loads.push_back(measure(c, numbers[static_cast<std::size_t>(c.numbering)], 0, located));
        const Costed costed{all, loads, net, located, 1, nonblocking};
        const int best = choose_by_cost(costed, bytes, Operands::exact).candidate;
        return std::string(all.at(static_cast<std::size_t>(best)).algorithm->name);
    };
    EXPECT_EQ(chosen(false, 1 << 18), "ring");
    EXPECT_EQ(chosen(true, 1 << 18), "hierarchical_overlapped");
    EXPECT_EQ(chosen(true, 1 << 24), "ring");  // its messages are too long to go on alone
}

/// Bytes of one step's messages, in the time of the step's links, and a share where they are long.
TEST(CostChoice, OnlyShortMessagesPassBesideComputation) {
    const LocatedRanks located = flat(4);
    LinkCosts net = free_links();
    net.rank_bandwidth = 1e9;
    const Candidate ring{&algorithm_named(Collective::allreduce, "ring"), {}, 0};
    const Loads loads = measure(ring, {"given", {}, {}}, 0, located);
    const double eager = LinkCosts::kEager;
    EXPECT_NEAR(seconds_beside_computation(loads, net, located, 4 * eager), eager / 1e9, 1e-12);
    EXPECT_NEAR(seconds_beside_computation(loads, net, located, 16 * eager), eager / 1e9, 1e-12);
}

TEST(CostChoice, TheShortlistHasAnAlgorithmOnce) {
    for (int i = 0; i < kCollectives; ++i) {
        const auto c = static_cast<Collective>(i);
        if (!counts(c)) continue;
        const Shortlist list(c, slow_links());
        for (double bytes = 8; bytes <= 1 << 20; bytes *= 8) {
            auto names = list.names(bytes);
            EXPECT_GE(std::ssize(names),
                      std::min<std::ptrdiff_t>(kShortlist, list.algorithms(bytes)))
                << name(c) << ' ' << bytes;
            EXPECT_LE(std::ssize(names), kShortlist + 1) << name(c) << ' ' << bytes;
            std::ranges::sort(names);
            EXPECT_EQ(std::ranges::adjacent_find(names), names.end()) << name(c) << ' ' << bytes;
        }
    }
}

}  // namespace
