// Runs the channels of a plan in random order and compares the results with the collective's.
#include "runtime/plan.hpp"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <sstream>

#include "select/rules.hpp"

using namespace hopbine;
using namespace hopbine::mpi;

namespace {

using Value = std::uint64_t;

std::vector<Plan> plans(const Algorithm& a, const Problem& given) {
    const Problem q = resolve(a, given);
    const SchedulePtr s = a.make(q);
    std::vector<Plan> out;
    for (int r = 0; r < q.p; ++r) out.push_back(make_plan(a, q, *s, r, false));
    return out;
}

/// Simulates all ranks; the next message to be delivered is drawn. A message has the values that
/// the sender has at delivery: the latest time at which MPI may read them.
class Network {
public:
    Network(const std::vector<Plan>& plans, std::vector<std::vector<Value>>& data, unsigned seed)
        : plans_(plans), data_(data), random_(seed) {
        for (const Plan& plan : plans)
            ranks_.push_back({std::vector<Pace>(plan.channels.size()), 0});
    }

    /// False: a deadlock before the end.
    bool run() {
        for (std::size_t r = 0; r < ranks_.size(); ++r) go_on(r);
        for (;;) {
            std::vector<Pairs::iterator> ready;
            for (auto it = pairs_.begin(); it != pairs_.end(); ++it)
                if (!it->second.sent.empty() && !it->second.awaited.empty()) ready.push_back(it);
            if (ready.empty()) break;
            deliver(*ready[random_() % ready.size()]);
        }
        for (std::size_t r = 0; r < ranks_.size(); ++r)
            if (ranks_[r].phase < plans_[r].phases) return false;
        return true;
    }

private:
    struct Arriving {
        const Message* message;
        std::vector<Value> values;
        bool here;
    };
    struct Pace {
        std::size_t step = 0;
        bool under_way = false;
        int sends = 0;
        std::size_t placed = 0;
        std::deque<Arriving> arriving;
    };
    struct Rank {
        std::vector<Pace> paces;
        int phase;
    };
    struct Queue {
        std::deque<const Message*> sent;
        std::deque<Arriving*> awaited;
    };
    using Pairs = std::map<std::array<int, 3>, Queue>;  // from, to, channel

    template <class F>
    static void each(const Plan& plan, const Message& m, F&& f) {
        for (std::uint32_t i = m.begin; i < m.end; ++i)
            for (std::int64_t k = 0; k < plan.pieces[i].count; ++k)
                f(static_cast<std::size_t>(plan.pieces[i].first + k));
    }

    void deliver(Pairs::value_type& pair) {
        const auto [from, to, channel] = pair.first;
        const Message& sent = *pair.second.sent.front();
        Arriving& in = *pair.second.awaited.front();
        pair.second.sent.pop_front();
        pair.second.awaited.pop_front();
        const auto source = static_cast<std::size_t>(from), target = static_cast<std::size_t>(to);
        each(plans_[source], sent, [&](std::size_t at) { in.values.push_back(data_[source][at]); });
        if (in.message->op == Op::copy) place(target, in);
        in.here = true;
        --pace(source, channel).sends;
        go_on(source);
        go_on(target);
    }

    void place(std::size_t r, const Arriving& in) {
        std::size_t i = 0;
        each(plans_[r], *in.message, [&](std::size_t at) {
            ASSERT_LT(i, in.values.size());
            data_[r][at] = in.values[i++] + (in.message->op == Op::reduce ? data_[r][at] : 0);
        });
        ASSERT_EQ(i, in.values.size());
    }

    Pace& pace(std::size_t r, int channel) {
        std::size_t l = 0;
        while (plans_[r].channels[l].number != channel) ++l;
        return ranks_[r].paces[l];
    }

    void go_on(std::size_t r) {
        const Plan& plan = plans_[r];
        for (Rank& rank = ranks_[r]; rank.phase < plan.phases; ++rank.phase) {
            bool over = true;
            for (std::size_t l = 0; l < plan.channels.size(); ++l)
                over &= channel(r, plan.channels[l], rank.paces[l]);
            if (!over) return;
        }
    }

    bool channel(std::size_t r, const Channel& channel, Pace& now) {
        const Plan& plan = plans_[r];
        for (; now.step < channel.steps.size() && channel.steps[now.step].phase == ranks_[r].phase;
             ++now.step, now.under_way = false) {
            const ChannelStep& step = channel.steps[now.step];
            if (!now.under_way) {
                now = {now.step, true, 0, 0, {}};
                for (std::uint32_t i = step.begin; i < step.end; ++i) {
                    const Message& m = plan.messages[i];
                    if (m.direction == Direction::send)
                        pairs_[{plan.rank, m.peer, channel.number}].sent.push_back(&m), ++now.sends;
                    else
                        pairs_[{m.peer, plan.rank, channel.number}].awaited.push_back(
                            &now.arriving.emplace_back(Arriving{&m, {}, false}));
                }
            }
            if (!step.sends_first || now.sends == 0)
                for (; now.placed < now.arriving.size() && now.arriving[now.placed].here;
                     ++now.placed)
                    if (now.arriving[now.placed].message->op == Op::reduce)
                        place(r, now.arriving[now.placed]);
            if (now.sends > 0 || now.placed < now.arriving.size()) return false;
        }
        return true;
    }

    const std::vector<Plan>& plans_;
    std::vector<std::vector<Value>>& data_;
    std::mt19937 random_;
    std::vector<Rank> ranks_;
    Pairs pairs_;
};

void expect_right_at_any_pace(const Algorithm& a, const std::vector<Plan>& all, unsigned seed) {
    const auto parts = static_cast<std::size_t>(all.front().parts), n = all.size() * parts;
    std::vector<std::vector<Value>> data(all.size(), std::vector<Value>(n));
    std::vector<Value> want(n);
    std::mt19937_64 random(seed);
    for (std::size_t r = 0; r < all.size(); ++r)
        for (std::size_t at = 0; at < n; ++at)
            if (reduces(a.collective) || (a.collective == Collective::bcast ? 0 : at / parts) == r)
                want[at] += data[r][at] = random();
    ASSERT_TRUE(Network(all, data, seed).run()) << a.name << " waits for ever";
    for (std::size_t r = 0; r < all.size(); ++r)
        for (std::size_t at = 0; at < n; ++at) {
            if ((a.collective == Collective::reduce_scatter && at / parts != r) ||
                (a.collective == Collective::reduce && r != 0))
                continue;
            ASSERT_EQ(data[r][at], want[at])
                << name(a.collective) << ' ' << a.name << ", rank " << r << ", part " << at;
        }
}

TEST(Channels, GiveTheRightAnswerAtAnyPace) {
    int tried = 0;
    for (const Algorithm* a : algorithms())
        for (const std::vector<int>& shape :
             {std::vector{8}, {7}, {2, 4}, {4, 2}, {4, 4}, {3, 5}, {2, 3, 2}}) {
            const int p = std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>());
            const Problem q{a->collective, p, 0, {}, nullptr, shape};
            // Gather and scatter have other positions on every rank; tests/mpi runs them.
            if (!a->follows_shape || a->collective == Collective::gather ||
                a->collective == Collective::scatter)
                continue;
            if (!fits(*a, p) || (a->refuses && !a->refuses(q).empty())) continue;
            const std::vector<Plan> all = plans(*a, q);
            if (all.front().channels.empty()) continue;
            ++tried;
            for (unsigned seed = 0; seed < 5; ++seed) expect_right_at_any_pace(*a, all, seed);
        }
    EXPECT_GT(tried, 20);
}

TEST(Channels, AreOnePerChannelAndChangePhaseTogether) {
    for (const Plan& plan : plans(algorithm_named(Collective::allreduce, "bucket"),
                                  {Collective::allreduce, 8, 0, {}, nullptr, {2, 4}})) {
        EXPECT_TRUE(plan.steps.empty());
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
    for (const Plan& plan : plans(algorithm_named(Collective::allreduce, "bucket"),
                                  {Collective::allreduce, 8, 0, {{"ports", 0}}, nullptr, {2, 4}})) {
        EXPECT_TRUE(plan.channels.empty());
        EXPECT_FALSE(plan.messages.empty());
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
                if (!plan.channels.empty()) continue;
                ASSERT_TRUE(all.stretches.empty());
                ASSERT_EQ(plan.step_count(), all.step_count());
                compact += !plan.stretches.empty();
                StepScratch scratch, other;
                for (std::size_t step = 0; step < plan.step_count(); ++step)
                    ASSERT_EQ(text(plan.step(step, scratch)), text(all.step(step, other)))
                        << name(a->collective) << ' ' << a->name << " p " << p << " step " << step;
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
            return make_plan(ring, q, *ring.make(q), p / 3, false).messages.size();
        };
        EXPECT_EQ(kept(1 << 20), kept(16)) << name(c);
    }
}

TEST(DefaultChoices, OfAMillionRanksHaveSmallPlans) {
    constexpr int p = 1 << 20;
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
        const Plan plan = make_plan(*a, q, *a->make(q), p / 3, false);
        EXPECT_LE(plan.messages.size() + plan.pieces.size() + plan.positions.size(), 500U)
            << name(a->collective) << ' ' << a->name;
    }
}

}  // namespace
