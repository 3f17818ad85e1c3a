#include "verify/check.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "schedule/reduction_order.hpp"
#include "verify/overlap.hpp"
#include "verify/values.hpp"

namespace hopbine {

using namespace values;

namespace {

std::string where(int step, int src, int dst) {
    return "step " + std::to_string(step) + ", rank " + std::to_string(src) + " to " +
           std::to_string(dst);
}

/// Throws Error for a replay that would follow more than kMostValues blocks on all ranks, before
/// any memory is taken. A double, since the product may exceed all integers.
void expect_memory(double values) {
    constexpr double kMostValues = 1LL << 31;  // some 20 to 100 GB
    if (values > kMostValues)
        throw Error("the check follows every block on every rank, which are " +
                    std::to_string(static_cast<std::int64_t>(std::min(values, 9e18))) +
                    " here; up to " + std::to_string(static_cast<std::int64_t>(kMostValues)) +
                    " are followed, so fewer ranks");
}

template <class Value>
class Replay {
public:
    Replay(const Problem& q, const Schedule& s)
        : q_(q), spec_(spec(q.collective)), s_(s), p_(static_cast<std::size_t>(q.p)) {
        each_ = s.traits().parts;
        blocks_ = static_cast<std::size_t>(block_count(q.collective, q.p) * each_);
        const std::size_t sources = spec_.prefix() ? kSources : 1;
        expect_memory(static_cast<double>(sources) * static_cast<double>(p_) *
                      static_cast<double>(blocks_));
        held_.assign(sources * p_ * blocks_, {});
        present_.assign(held_.size(), 0);
        moved_on_.assign(blocks_, -1);
        start();
    }

    Verdict run() {
        std::vector<Step> now(p_);
        v_.steps = s_.steps();
        for (int t = 0; t < s_.steps() && v_.ok; ++t) {
            for (std::size_t r = 0; r < p_; ++r) {
                now[r].clear();
                s_.moves(static_cast<int>(r), t, now[r]);
            }
            step(t, now);
        }
        if (v_.ok) finish();
        return v_;
    }

private:
    struct Message {
        const Move* send;
        int src;
        std::vector<Value> values;
        bool used;
    };

    std::size_t index(int r, Block b, Source s) const {
        return (static_cast<std::size_t>(s) * p_ + static_cast<std::size_t>(r)) * blocks_ +
               static_cast<std::size_t>(b);
    }
    Value& value(int r, Block b, Source s = Source::result) { return held_[index(r, b, s)]; }
    char& present(int r, Block b, Source s = Source::result) { return present_[index(r, b, s)]; }
    void put(int r, Block b, Value v, Source s = Source::result) {
        value(r, b, s) = std::move(v);
        present(r, b, s) = 1;
    }
    void fail(const std::string& why) {
        if (v_.ok) v_.why = why;
        v_.ok = false;
    }

    /// Whether rank r owns part b of the blocks, alone or as every rank does.
    bool owns(int r, Owner owner, Block b) const {
        const int rank = rank_of(owner, q_, b / each_);
        return rank == kEveryRank || rank == r;
    }

    void start() {
        for (int r = 0; r < q_.p; ++r)
            for (Block b = 0; b < static_cast<Block>(blocks_); ++b)
                if (owns(r, spec_.before, b))
                    put(r, b, Value::of(r),
                        spec_.summed == Summed::below ? Source::own : Source::result);
    }

    void finish() {
        for (int r = 0; r < q_.p; ++r) {
            const Value all = spec_.combines() ? Value::first(contributors(q_, r)) : Value{};
            for (Block b = 0; b < static_cast<Block>(blocks_); ++b)
                if (const char* why = wrong(r, b, all))
                    return fail("at the end, rank " + std::to_string(r) + ", block " +
                                std::to_string(b) + ": " + why);
        }
    }

    /// What is wrong with block b of rank r at the end, or null. `all`: what contributions sum up
    /// to.
    const char* wrong(int r, Block b, const Value& all) {
        constexpr bool kAlike = std::is_same_v<Value, Association>;
        if (contributors(q_, r) == 0)
            return present(r, b) ? "a result where there is none" : nullptr;
        if (!owns(r, spec_.after, b)) return nullptr;
        if (!present(r, b)) return "never arrived";
        if (kAlike)
            return value(r, b) == value(0, b) ? nullptr
                                              : "is summed up in another order than on rank 0";
        if (spec_.combines() ? value(r, b) == all
                             : value(r, b) == Value::of(rank_of(spec_.before, q_, b / each_)))
            return nullptr;
        return !spec_.combines()  ? "the wrong data"
               : spec_.has_data() ? "a contribution is missing or counted twice"
                                  : "leaves before it knows that every rank has arrived";
    }

    /// Validates a move on its own.
    bool sound(int t, int r, const Move& m) {
        const auto& runs = m.blocks.runs();
        if (m.peer < 0 || m.peer >= q_.p || m.peer == r)
            fail(where(t, r, m.peer) + ": no such peer");
        else if (m.blocks.empty())
            fail(where(t, r, m.peer) + ": an empty move");
        else if (runs.front().lo < 0 || runs.back().hi > static_cast<Block>(blocks_))
            fail(where(t, r, m.peer) + ": blocks " + m.blocks.text() + " outside 0-" +
                 std::to_string(blocks_ - 1));
        else if (m.channel < 0 || m.channel >= s_.traits().channels)
            fail(where(t, r, m.peer) + ": channel " + std::to_string(m.channel) + " outside 0-" +
                 std::to_string(s_.traits().channels - 1));
        else if (!spec_.prefix() && (m.source != Source::result || m.keeps))
            fail(where(t, r, m.peer) + ": a kept value, which only prefix sums have");
        else if (m.keeps && (m.direction == Direction::send || m.op == Op::copy))
            fail(where(t, r, m.peer) + ": only a contribution can be kept");
        return v_.ok;
    }

    void step(int t, std::vector<Step>& now) {
        std::vector<std::vector<Message>> inbox(p_);
        for (int r = 0; r < q_.p; ++r)
            for (const auto& [move, onward] :
                 in_reduction_order(now[static_cast<std::size_t>(r)], r)) {
                const Move& m = *move;
                if (!sound(t, r, m)) return;
                if (m.direction != Direction::send) continue;
                if (s_.traits().channels > 1 && !keep_to_channel(t, r, m)) return;
                Message msg{&m, r, {}, false};
                m.blocks.each([&](Block b) {
                    if (!present(r, b, m.source))
                        fail(where(t, r, m.peer) + ": block " + std::to_string(b) +
                             " is sent before the sender has it");
                    msg.values.push_back(value(r, b, m.source));
                });
                ++v_.messages;
                v_.blocks += m.blocks.size();
                inbox[static_cast<std::size_t>(m.peer)].push_back(std::move(msg));
            }
        for (int r = 0; r < q_.p && v_.ok; ++r)
            receive(t, r, now[static_cast<std::size_t>(r)], inbox[static_cast<std::size_t>(r)]);
    }

    /// Channels progress independently: a part moved by two would depend on their timing.
    bool keep_to_channel(int t, int r, const Move& m) {
        m.blocks.each([&](Block b) {
            int& channel = moved_on_[static_cast<std::size_t>(b)];
            if (channel >= 0 && channel != m.channel)
                fail(where(t, r, m.peer) + ": part " + std::to_string(b) +
                     " is moved by channels " + std::to_string(channel) + " and " +
                     std::to_string(m.channel));
            channel = m.channel;
        });
        return v_.ok;
    }

    /// The message that a receive matches: the first of its sender on its channel. Null if there is
    /// none or it does not match; the replay has then failed.
    Message* awaited(int t, int r, const Move& m, std::vector<Message>& inbox) {
        const std::string at = where(t, m.peer, r);
        const auto found = std::ranges::find_if(inbox, [&](const Message& one) {
            return !one.used && one.src == m.peer && one.send->channel == m.channel;
        });
        if (found == inbox.end()) {
            fail(at + ": blocks " + m.blocks.text() + " are awaited but not sent");
            return nullptr;
        }
        found->used = true;
        if (found->send->op != m.op)
            fail(at + ": one side copies, the other reduces");
        else if (!(found->send->blocks == m.blocks))
            fail(at + ": sends blocks " + found->send->blocks.text() + ", awaits " +
                 m.blocks.text());
        return v_.ok ? &*found : nullptr;
    }

    void take(int r, const Move& m, const std::vector<Value>& values) {
        std::size_t k = 0;
        m.blocks.each([&](Block b) { put(r, b, values[k++]); });
    }

    /// Reduces a received message and `carried`, the contributions of lower ranks before it. The
    /// result goes to the rank's blocks, or stays in `values` if `onward`.
    void add(int t, int r, const Move& m, std::vector<Value>& values,
             const std::vector<Value>& carried, bool onward) {
        const std::string at = where(t, m.peer, r);
        if (m.keeps && (onward || !carried.empty()))
            return fail(at + ": a contribution that is joined with others cannot be kept");
        std::size_t k = 0;
        m.blocks.each([&](Block b) {
            Value& in = values[k++];
            if (m.keeps) put(r, b, in, Source::kept);
            if (!present(r, b))
                return fail(at + ": block " + std::to_string(b) + " is reduced into nothing");
            const bool kept = (carried.empty() || in.add(carried[k - 1], true)) &&
                              (onward || value(r, b).add(in, m.peer < r));
            if (!kept) fail(at + ": block " + std::to_string(b) + " is combined out of rank order");
        });
    }

    void receive(int t, int r, const Step& moves, std::vector<Message>& inbox) {
        std::array<BlockSet, kSources> sending;
        BlockSet copied;
        for (const Move& m : moves)
            if (m.direction == Direction::send) {
                BlockSet& of = sending[static_cast<std::size_t>(m.source)];
                of = of.plus(m.blocks);
            }
        const auto meets = [](const Move& m, const BlockSet& busy) {
            return m.blocks.minus(busy).size() != m.blocks.size();
        };
        std::vector<Value>
            carried;  // reduced contributions of lower ranks to the blocks of the next move
        for (const auto& [move, onward] : in_reduction_order(moves, r)) {
            const Move& m = *move;
            if (m.direction != Direction::recv) continue;
            Message* const in = awaited(t, r, m, inbox);
            if (!in) return;
            if (m.op == Op::copy) {
                if (meets(m, sending[0].plus(copied)))
                    return fail(where(t, m.peer, r) + ": blocks " + m.blocks.text() +
                                " are received into what is being sent or received");
                copied = copied.plus(m.blocks);
                take(r, m, in->values);
            } else {
                if (m.keeps && meets(m, sending[static_cast<std::size_t>(Source::kept)]))
                    return fail(where(t, m.peer, r) + ": blocks " + m.blocks.text() +
                                " are kept where kept ones are being sent");
                add(t, r, m, in->values, carried, onward);
            }
            carried = onward ? std::move(in->values) : std::vector<Value>{};
        }
        for (const Message& m : inbox)
            if (!m.used)
                return fail(where(t, m.src, r) + ": blocks " + m.send->blocks.text() +
                            " are sent but not awaited");
    }

    const Problem& q_;
    const CollectiveSpec& spec_;
    const Schedule& s_;
    Block each_ = 1;  ///< parts per block
    std::size_t p_, blocks_ = 0;
    std::vector<Value> held_;
    std::vector<char> present_;
    std::vector<int> moved_on_;  ///< channel of each part; -1: not moved yet
    Verdict v_;
};

void hold_to_claim(const Algorithm& a, const Problem& q, Verdict& v) {
    if (!v.ok || !a.claim) return;
    const Claim c = a.claim(q);
    if (c.steps != v.steps)
        v = {false,
             "claims " + std::to_string(c.steps) + " steps, takes " + std::to_string(v.steps),
             v.steps, v.messages, v.blocks};
    else if (c.exact ? c.blocks != v.blocks : v.blocks > c.blocks)
        v = {false,
             "claims " + std::string(c.exact ? "" : "at most ") + std::to_string(c.blocks) +
                 " blocks in all, sends " + std::to_string(v.blocks),
             v.steps, v.messages, v.blocks};
}

/// Checks that every part of a block has its own position in the layout.
void check_layout(const Problem& q, const Schedule& s, Verdict& v) {
    std::vector<char> taken(
        static_cast<std::size_t>(block_count(q.collective, q.p) * s.traits().parts), 0);
    for (Block b = 0; v.ok && b < static_cast<Block>(taken.size()); ++b) {
        const Block at = s.traits().position(b);
        v.ok = at >= 0 && at < static_cast<Block>(taken.size()) &&
               !taken[static_cast<std::size_t>(at)]++;
        if (!v.ok) v.why = "position of block " + std::to_string(b) + " is outside or taken";
    }
}

/// Replays with another kind of values, which can refute what the kinds before cannot.
template <class Value>
void replay_too(const Problem& q, const Schedule& s, Verdict& v) {
    const Verdict too = Replay<Value>(q, s).run();
    if (!too.ok) v = too;
}

/// Tries calls that are under way at once, on few ranks and with one root: every pattern of
/// messages occurs there.
void overlap_too(const Algorithm& a, const Problem& q, Verdict& v) {
    constexpr int kMostRanks = 8;
    if (!v.ok || q.p > kMostRanks || (rooted(q.collective) && q.root != q.p / 2)) return;
    v.why = check_overlap(a, q);
    v.ok = v.why.empty();
}

}  // namespace

Verdict check(const Algorithm& a, const Problem& given) {
    const Problem q = resolve(a, given);
    const CollectiveSpec& c = spec(q.collective);
    const SchedulePtr s = a.make(q);
    Verdict v = !c.has_data() ? Replay<Arrivals>(q, *s).run()
                : q.p <= 64   ? Replay<Counts>(q, *s).run()
                              : Replay<Weights>(q, *s).run();
    if (v.ok && c.reduces() && !a.needs_commutative) replay_too<Ordered>(q, *s, v);
    if (v.ok && c.reduces() && c.after == Owner::every && !c.prefix() && a.bitwise_reproducible)
        replay_too<Association>(q, *s, v);
    if (v.ok && s->traits().layout) check_layout(q, *s, v);
    hold_to_claim(a, q, v);
    overlap_too(a, q, v);
    return v;
}

}  // namespace hopbine
