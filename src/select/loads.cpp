#include "select/loads.hpp"

#include <algorithm>

#include "analysis/walk.hpp"

namespace hopbine::select {

namespace {

/// What counts of a move: its peer as a distance, blocks, messages.
struct Brief {
    Direction direction;
    int ahead;
    std::int64_t blocks, messages;
};

/// The moves of any rank in any step, each made once where ranks are alike (Traits::period).
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

/// One move of a rank, added to its node's and its group's loads.
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

    /// Steps that are alike were walked once.
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

Loads measure(const Candidate& c, const Numbering& numbering, int root, const LocatedRanks& located,
              const std::vector<int>& nodes) {
    const int p = static_cast<int>(located.placement->group.size());
    const SchedulePtr s = schedule(
        *c.algorithm,
        {c.algorithm->collective, p, rooted(c.algorithm->collective) ? numbering.plays(root) : 0,
         c.parameters, c.algorithm->follows_placement ? located.placement : nullptr});
    std::vector<Pattern> all = patterns(*s);
    const bool merged = static_cast<int>(all.size()) > kMostPatterns;
    Loads out;
    out.parts = s->traits().parts;
    out.permutes = s->traits().layout != nullptr;
    out.patterns = merged ? 1 : static_cast<int>(all.size());
    out.times.assign(static_cast<std::size_t>(out.patterns), merged ? s->steps() : 0);
    out.groups.assign(static_cast<std::size_t>(out.patterns) *
                          static_cast<std::size_t>(located.groups.count()) * 2,
                      0);
    out.peaks.assign(static_cast<std::size_t>(out.patterns) * kPeaks, 0);
    out.totals.assign(kTotals, 0);
    Tally tally(out, located);
    Moves moves(*s, p);
    for (std::size_t first = 0; first < all.size(); first += merged ? all.size() : 1) {
        const int pattern = merged ? 0 : static_cast<int>(first);
        const std::vector<std::int64_t> before = out.totals;
        for (int node : nodes) {
            tally.begin_node();
            for (int rank : located.nodes.members(node)) {
                const int v = numbering.plays(rank);
                tally.begin_rank();
                for (std::size_t i = first; i < (merged ? all.size() : first + 1); ++i)
                    for (const Brief& m : moves.of(v, all[i].step))
                        for (std::int64_t again = merged ? all[i].times : 1; again > 0; --again)
                            tally.add(
                                pattern, rank,
                                numbering.rank(v + m.ahead < p ? v + m.ahead : v + m.ahead - p), m);
                tally.end_rank(pattern);
            }
            tally.end_node(pattern);
        }
        if (merged) continue;
        out.times[first] = all[first].times;
        tally.scale(pattern, all[first].times);
        for (std::size_t i = 0; i < kTotals; ++i)
            out.totals[i] = before[i] + (out.totals[i] - before[i]) * all[first].times;
    }
    return out;
}

}  // namespace hopbine::select
