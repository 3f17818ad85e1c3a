#include "select/loads.hpp"

#include <algorithm>

#include "analysis/walk.hpp"
#include "combinators/segments.hpp"

namespace hopbine::select {

namespace {

/// A move as far as it counts: peer as a distance, blocks, messages.
struct Brief {
    Direction direction;
    int ahead;
    std::int64_t blocks, messages;
};

/// The moves of any rank in any step, computed once for equivalent ranks (Traits::period).
class Moves {
public:
    Moves(const Schedule& s, int p)
        : s_(s),
          p_(p),
          q_(s.traits().period > 0 && p % s.traits().period == 0 && s.traits().wire != Wire::per_run
                 ? s.traits().period
                 : p) {
        if (q_ < p)
            known_.resize(static_cast<std::size_t>(q_) * static_cast<std::size_t>(s.steps()));
    }
    const std::vector<Brief>& of(int rank, int step) {
        auto& kept = q_ < p_
                         ? known_[static_cast<std::size_t>(step) * static_cast<std::size_t>(q_) +
                                  static_cast<std::size_t>(rank % q_)]
                         : unique_;
        if (q_ < p_ && !kept.empty()) return kept;
        kept.clear();
        moves_.clear();
        s_.moves(rank, step, moves_);
        for (const Move& m : moves_)
            kept.push_back({m.direction, mod(m.peer - rank, p_), m.blocks.size(),
                            messages_of(m, s_.traits().wire)});
        return kept;
    }

private:
    const Schedule& s_;
    int p_, q_;
    std::vector<std::vector<Brief>> known_;
    std::vector<Brief> unique_;
    Step moves_;
};

/// Adds moves of a rank to the loads of its node and its group.
class Tally {
public:
    Tally(Loads& loads, const LocatedRanks& located)
        : loads_(loads), located_(located), k_(static_cast<std::size_t>(located.groups.count())) {}

    void begin_node() { node_out_ = node_in_ = 0; }
    void begin_rank() { out_ = in_ = messages_out_ = messages_in_ = 0; }
    void add(int pattern, int rank, int peer, const Brief& m) {
        const std::int64_t n = m.blocks;
        const bool sends = m.direction == Direction::send;
        (sends ? out_ : in_) += n;
        (sends ? messages_out_ : messages_in_) += m.messages;
        const int g = located_.groups.of(rank);
        int far = 1;
        if (located_.nodes.of(rank) != located_.nodes.of(peer)) {
            far = 2;
            (sends ? node_out_ : node_in_) += n;
            if (g != located_.groups.of(peer)) {
                far = 3;
                group(pattern, g, sends) += n;
            }
            if (sends) loads_.totals[far == 3 ? global_volume : local_volume] += n;
        }
        raise(pattern, farthest, far);
    }
    void end_rank(int pattern) {
        raise(pattern, rank_volume, std::max(out_, in_));
        raise(pattern, rank_messages, std::max(messages_out_, messages_in_));
    }
    void end_node(int pattern) { raise(pattern, node_volume, std::max(node_out_, node_in_)); }

    /// Multiplies the loads of a pattern, which was walked once, by its number of steps.
    void scale(int pattern, std::int64_t times) {
        if (times == 1) return;
        for (int g = 0; g < located_.groups.count(); ++g)
            group(pattern, g, false) *= times, group(pattern, g, true) *= times;
        for (Peak p : {node_volume, rank_volume, rank_messages})
            loads_.peaks[static_cast<std::size_t>(pattern * kPeaks + p)] *= times;
    }

private:
    std::int64_t& group(int pattern, int g, bool out) {
        return loads_
            .groups[(static_cast<std::size_t>(pattern) * k_ + static_cast<std::size_t>(g)) * 2 +
                    (out ? 0 : 1)];
    }
    void raise(int pattern, Peak what, std::int64_t to) {
        auto& x = loads_.peaks[static_cast<std::size_t>(pattern * kPeaks + what)];
        x = std::max(x, to);
    }
    Loads& loads_;
    const LocatedRanks& located_;
    std::size_t k_;
    std::int64_t node_out_ = 0, node_in_ = 0, out_ = 0, in_ = 0, messages_out_ = 0,
                 messages_in_ = 0;
};

}  // namespace

namespace {

/// Zero loads of a schedule with this number of patterns.
Loads no_loads(const Traits& traits, std::size_t patterns, int groups) {
    Loads out;
    out.parts = traits.parts;
    out.permutes = traits.layout != nullptr;
    out.patterns = static_cast<int>(patterns);
    out.times.assign(patterns, 0);
    out.groups.assign(patterns * static_cast<std::size_t>(groups) * 2, 0);
    out.peaks.assign(patterns * kPeaks, 0);
    out.totals.assign(kTotals, 0);
    return out;
}

/// Counts the moves of the ranks of some nodes.
class Measurement {
public:
    Measurement(const Schedule& s, const Numbering& numbering, const LocatedRanks& located,
                const std::vector<int>& nodes, Loads& out)
        : p_(static_cast<int>(located.placement->group.size())),
          numbering_(numbering),
          located_(located),
          nodes_(nodes),
          out_(out),
          tally_(out, located),
          moves_(s, p_) {}

    /// Counts all steps as one pattern, each as often as it occurs.
    void merged(const std::vector<Pattern>& all) {
        walk(0, [&](int rank) {
            for (const Pattern& step : all)
                for (std::int64_t i = 0; i < step.times; ++i) add(0, rank, step.step);
        });
    }
    /// Counts a step that occurs several times.
    void pattern(int pattern, const Pattern& step) {
        const std::vector<std::int64_t> before = out_.totals;
        walk(pattern, [&](int rank) { add(pattern, rank, step.step); });
        out_.times[static_cast<std::size_t>(pattern)] = step.times;
        tally_.scale(pattern, step.times);
        for (std::size_t i = 0; i < kTotals; ++i)
            out_.totals[i] = before[i] + (out_.totals[i] - before[i]) * step.times;
    }

private:
    template <class F>
    void walk(int pattern, F&& of_rank) {
        for (int node : nodes_) {
            tally_.begin_node();
            for (int rank : located_.nodes.members(node)) {
                tally_.begin_rank();
                of_rank(rank);
                tally_.end_rank(pattern);
            }
            tally_.end_node(pattern);
        }
    }
    void add(int pattern, int rank, int step) {
        const int v = numbering_.plays(rank);
        for (const Brief& m : moves_.of(v, step)) {
            const int peer = v + m.ahead < p_ ? v + m.ahead : v + m.ahead - p_;
            tally_.add(pattern, rank, numbering_.rank(peer), m);
        }
    }

    int p_;
    const Numbering& numbering_;
    const LocatedRanks& located_;
    const std::vector<int>& nodes_;
    Loads& out_;
    Tally tally_;
    Moves moves_;
};

}  // namespace

Loads measure(const Candidate& c, const Numbering& numbering, int root, const LocatedRanks& located,
              const std::vector<int>& nodes) {
    const Algorithm& a = *c.algorithm;
    const int p = static_cast<int>(located.placement->group.size());
    const bool pipeline = pipelined(a);
    Parameters parameters = c.parameters;
    if (pipeline) parameters.emplace_back(segments::parameter.name, 1);
    const SchedulePtr s =
        schedule(a, {a.collective, p, rooted(a.collective) ? numbering.plays(root) : 0, parameters,
                     a.follows_placement ? located.placement : nullptr});
    const std::vector<Pattern> all = patterns(*s);
    const bool merged = pipeline || static_cast<int>(all.size()) > kMostPatterns;
    Loads out = no_loads(s->traits(), merged ? 1 : all.size(), located.groups.count());
    out.pipelined = pipeline;
    Measurement measurement(*s, numbering, located, nodes, out);
    if (merged) {
        out.times[0] = s->steps();
        measurement.merged(all);
    } else {
        for (std::size_t i = 0; i < all.size(); ++i)
            measurement.pattern(static_cast<int>(i), all[i]);
    }
    return out;
}

}  // namespace hopbine::select
