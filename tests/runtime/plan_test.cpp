// Plans: their channels, and steps that stand for others. run_plan_test.cpp runs them.
#include "runtime/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "runtime/ranks.hpp"
#include "select/rules.hpp"

using namespace hopbine;
using namespace hopbine::mpi;

namespace {

TEST(Channels, AreOnePerChannelAndChangePhaseTogether) {
    for (const Plan& of : plans_of(algorithm_named(Collective::allreduce, "bucket"),
                                   {Collective::allreduce, 8, 0, {}, nullptr, {2, 4}})) {
        const Steps& plan = of.steps();
        EXPECT_EQ(plan.all_channels, 4);
        ASSERT_EQ(plan.channels.size(), 4u);
        EXPECT_EQ(plan.phases, 3);  // one dimension, the other and back, and again the first
        std::size_t messages = 0;
        for (std::size_t c = 0; c < 4; ++c) {
            EXPECT_EQ(plan.channels[c].number, static_cast<int>(c));
            std::map<int, int> steps;
            for (const ChannelStep& s : plan.channels[c].steps) {
                ++steps[s.phase];
                messages += s.end - s.begin;
            }
            // Channels 0 and 2 start on the two ranks of the first dimension, which leave two of
            // three steps idle.
            EXPECT_EQ(steps, c % 2 ? (std::map<int, int>{{0, 3}, {1, 2}, {2, 3}})
                                   : (std::map<int, int>{{0, 1}, {1, 6}, {2, 1}}));
        }
        EXPECT_EQ(messages, plan.messages.size());
    }
    for (const Plan& of :
         plans_of(algorithm_named(Collective::allreduce, "bucket"),
                  {Collective::allreduce, 8, 0, {{"ports", 0}}, nullptr, {2, 4}})) {
        EXPECT_EQ(of.steps().all_channels, 1);
        EXPECT_EQ(of.steps().channels.size(), 1u);
        EXPECT_FALSE(of.steps().messages.empty());
    }
}

/// A schedule that does not tell which steps repeat others.
class WithoutRepeats : public Schedule {
public:
    explicit WithoutRepeats(SchedulePtr inner) : Schedule(traits_of(*inner)), inner_(inner) {}
    int steps() const override { return inner_->steps(); }
    void moves(int rank, int s, Step& out) const override { inner_->moves(rank, s, out); }

private:
    static Traits traits_of(const Schedule& inner) {
        Traits out = inner.traits();
        out.repeats = nullptr;
        return out;
    }
    SchedulePtr inner_;
};

/// A step in words.
std::string text(const StepView& step) {
    std::ostringstream out;
    out << step.sends_first;
    for (const Message* m = step.begin; m != step.end; ++m) {
        out << (m->direction == Direction::send ? " to " : " from ") << m->peer
            << (m->op == Op::reduce ? " adds" : "") << (m->onward ? " onward" : "");
        for (std::uint32_t i = m->begin; i < m->end; ++i)
            out << ' ' << static_cast<int>(step.pieces[i].space) << ':' << step.pieces[i].first
                << '+' << step.pieces[i].count;
    }
    return out.str();
}

std::vector<std::string> texts(const Steps& plan) {
    std::vector<std::string> out;
    StepScratch scratch;
    each_step(plan, scratch, [&](const ObservedStep& s) { out.push_back(text(s.view)); });
    return out;
}

bool repeats(const ChannelStep& step) { return step.times > 1; }

TEST(Repeats, AreReadAsTheStepsThatTheyStandFor) {
    int compact = 0;
    for (const Algorithm* a : algorithms())
        for (int p : {2, 3, 4, 5, 8, 12, 17}) {
            if (!fits(*a, p) || a->collective == Collective::alltoallv || a->follows_shape)
                continue;
            const Problem q =
                resolve(*a, {a->collective, p, rooted(a->collective) ? p / 2 : 0, {}});
            const SchedulePtr s = a->make(q);
            const WithoutRepeats plain(s);
            for (int rank = 0; rank < p; ++rank) {
                const Plan plan = make_plan(*a, q, *s, rank, false),
                           all = make_plan(*a, q, plain, rank, false);
                ASSERT_EQ(texts(plan.steps()), texts(all.steps()))
                    << name(a->collective) << ' ' << a->name << " p " << p;
                compact += std::ranges::any_of(plan.steps().channels[0].steps, repeats);
                ASSERT_TRUE(std::ranges::none_of(all.steps().channels[0].steps, repeats));
            }
        }
    EXPECT_GT(compact, 100);
}

TEST(Repeats, MakeAPlanOfARingThatDoesNotGrow) {
    for (const Collective c :
         {Collective::allgather, Collective::allreduce, Collective::reduce_scatter}) {
        const Algorithm& ring = algorithm_named(c, "ring");
        const auto kept = [&](int p) {
            const Problem q = resolve(ring, {c, p, 0, {}});
            return make_plan(ring, q, *ring.make(q), p / 3, false).steps().messages.size();
        };
        EXPECT_EQ(kept(1 << 20), kept(16)) << name(c);
    }
}

TEST(DefaultChoices, OfManyRanksHaveSmallPlans) {
#if defined(__SANITIZE_ADDRESS__)
    constexpr int p = 1 << 17;  // 2^20 take most of a minute
#else
    constexpr int p = 1 << 20;
#endif
    std::set<const Algorithm*> chosen;
    for (int c = 0; c < kCollectives; ++c)
        for (std::int64_t bytes = p; bytes <= std::int64_t{1} << 40; bytes *= 16)
            chosen.insert(
                select::choose({&select::default_rules()}, {static_cast<Collective>(c), p, bytes})
                    .algorithm);
    chosen.erase(nullptr);  // the MPI library
    EXPECT_GT(chosen.size(), 6U);
    for (const Algorithm* a : chosen) {
        const Problem q = resolve(*a, {a->collective, p, 0, {}});
        const Plan made = make_plan(*a, q, *a->make(q), p / 3, false);
        const Steps& plan = made.steps();
        EXPECT_LE(plan.messages.size() + plan.pieces.size() + plan.positions.size(), 500U)
            << name(a->collective) << ' ' << a->name;
    }
}

}  // namespace
