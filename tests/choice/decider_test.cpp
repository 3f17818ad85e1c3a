// What is decided on calls, without MPI: by rules, by counting, and by what was learned.
#include "choice/decider.hpp"

#include <gtest/gtest.h>

#include <set>

#include "choice/learning.hpp"
#include "choice/members_in_fibers.hpp"
#include "select/size_class.hpp"

using namespace hopbine;
using namespace hopbine::mpi;

namespace {

/// A communicator's choice.
struct Choice {
    explicit Choice(Members& members)
        : plans(members),
          decider(members, plans, std::make_shared<Knowledge>()),
          learning(members, decider) {}
    PlanCache plans;
    Decider decider;
    Learning learning;
};

/// The rules of HOPBINE_ALGORITHM, until the end of a test.
struct Asked {
    explicit Asked(const char* text) { override_algorithms(text); }
    Asked(const Asked&) = delete;
    Asked& operator=(const Asked&) = delete;
    ~Asked() { override_algorithms(nullptr); }
};

/// `nodes` nodes of two ranks, the first half of them in one group.
void begin_two_groups(std::uint64_t nodes) {
    std::vector<std::uint64_t> node, group;
    for (std::uint64_t n = 0; n < nodes; ++n)
        for (int i = 0; i < 2; ++i) {
            node.push_back(n + 1);
            group.push_back(1 + 2 * n / nodes);
        }
    begin_job(node, group);
}

TEST(Decider, ARuleDecides) {
    begin_two_groups(3);
    EXPECT_TRUE(run_members(Form::blocking, [](Members& members) {
        Choice choice(members);
        const Asked asked("allreduce=ring,bcast=mpi");
        const Decision& d = choice.decider.decide(Collective::allreduce, 4096, 0, Operands::exact);
        EXPECT_TRUE(d.ruled);
        ASSERT_TRUE(d.served.plan);
        EXPECT_STREQ(d.served.plan->algorithm->name, "ring");
        EXPECT_STREQ(d.served.by, "ring");
        EXPECT_EQ(&choice.decider.decide(Collective::allreduce, 4096, 0, Operands::exact), &d);
        EXPECT_TRUE(choice.decider.library_only(Collective::bcast));
        EXPECT_FALSE(choice.decider.library_only(Collective::allreduce));
    }));
}

TEST(Decider, RulesThatChangeAreHeeded) {
    begin_two_groups(2);
    EXPECT_TRUE(run_members(Form::blocking, [](Members& members) {
        Choice choice(members);
        const auto served_by = [&](const char* rules) {
            const Asked asked(rules);
            return std::string(
                choice.decider.decide(Collective::allreduce, 64, 0, Operands::exact).served.by);
        };
        EXPECT_EQ(served_by("allreduce=ring"), "ring");
        EXPECT_EQ(served_by("allreduce=mpi"), "mpi");
        EXPECT_EQ(served_by("allreduce=bine_small"), "bine_small");
    }));
}

TEST(Decider, TheLibraryServesOneRankAndUnknownOnes) {
    begin_job({1}, {1});
    EXPECT_TRUE(run_members(Form::blocking, [](Members& members) {
        Choice choice(members);
        EXPECT_EQ(members.why_unusable(), "one rank");
        EXPECT_FALSE(
            choice.decider.decide(Collective::allreduce, 64, 0, Operands::exact).served.plan);
    }));
    begin_two_groups(2);
    the_job().ranks[3].settings = 1;
    EXPECT_TRUE(run_members(Form::blocking, [](Members& members) {
        EXPECT_EQ(members.why_unusable(), "settings differ between ranks");
    }));
}

/// More ranks than count alone.
TEST(Decider, AllRanksDecideAlikeByCounting) {
    begin_two_groups(10);
    for (const Collective c : {Collective::allreduce, Collective::bcast, Collective::alltoall}) {
        std::multiset<std::string> by;
        EXPECT_TRUE(run_members(Form::nonblocking, [&](Members& members) {
            Choice choice(members);
            for (const std::int64_t bytes : {8, 65536, 1 << 24})
                by.insert(std::to_string(bytes) + ' ' +
                          choice.decider.decide(c, bytes, 0, Operands::exact).served.by);
        }));
        EXPECT_EQ(by.size(), 3u * 20);
        EXPECT_EQ(std::set(by.begin(), by.end()).size(), 3u) << *by.begin();
        for (const std::string& one : by) EXPECT_FALSE(one.ends_with(" mpi")) << one;
    }
}

TEST(PlanCache, KeepsAPlanForEverySize) {
    begin_two_groups(2);
    EXPECT_TRUE(run_members(Form::blocking, [](Members& members) {
        PlanCache plans(members);
        const Algorithm& ring = algorithm_named(Collective::allreduce, "ring");
        const Plan* const small = plans.plan(ring, {}, 0, 8, nullptr, false);
        EXPECT_EQ(plans.plan(ring, {}, 0, 1 << 20, nullptr, false), small);
        EXPECT_NE(plans.plan(algorithm_named(Collective::bcast, "binomial_doubling"), {}, 1, 8,
                             nullptr, false),
                  small);
        EXPECT_EQ(small->rank, members.rank);
    }));
}

/// The rule of an earlier job, by which the library took twice the time, is an arm of the kind.
TEST(Learning, BeginsWithWhatWasLearned) {
    ASSERT_TRUE(settings().measures);  // HOPBINE_CHOICE is not set
    begin_two_groups(2);
    select::Rule learned{Collective::allreduce, "ring", {}, "learned"};
    learned.ranks = {4, 4};
    learned.measured[select::sizes_of(select::size_class(4096)).high] = "10 us; mpi 20 us";
    the_job().learned.rules = {learned};
    EXPECT_TRUE(run_members(Form::blocking, [](Members& members) {
        Choice choice(members);
        const auto [kind, served] =
            choice.learning.find(Collective::allreduce, 4096, 0, Operands::exact);
        EXPECT_FALSE(served);
        ASSERT_TRUE(kind);
        ASSERT_EQ(kind->arms.size(), 2u);
        const Served& by =
            choice.learning.served_by(*kind, 1, Collective::allreduce, 4096, 0, Operands::exact);
        ASSERT_TRUE(by.plan);
        EXPECT_STREQ(by.by, "ring");
        EXPECT_EQ(choice.learning.find(Collective::allreduce, 4000, 0, Operands::exact).kind, kind);
        EXPECT_NE(choice.learning.find(Collective::allreduce, 1 << 20, 0, Operands::exact).kind,
                  kind);
    }));
}

}  // namespace
