#include "select/loads.hpp"

#include <algorithm>

#include "analysis/walk.hpp"
#include "combinators/segments.hpp"
#include "select/shared_count.hpp"

namespace hopbine::select {

namespace {

/// A move as far as it counts: peer as a distance, blocks, messages.
struct Brief {
    Direction direction;
    Op op;
    int ahead;
    std::int64_t blocks;
    RotatedMessages messages;  ///< by the distance of the rank from the one that was asked
};

/// The moves of any rank in any step, computed once for equivalent ranks (Traits::period).
class Moves {
public:
    Moves(const Schedule& s, const std::vector<Pattern>& patterns, int p)
        : s_(s),
          patterns_(patterns),
          p_(p),
          q_(s.traits().period > 0 && p % s.traits().period == 0 &&
                     (s.traits().parts == 1 || s.traits().wire != Wire::per_run)
                 ? s.traits().period
                 : p) {}
    /// The moves of a rank in a step of a pattern. They are those of `like(rank)`, shifted.
    const std::vector<Brief>& of(int rank, std::size_t pattern) {
        if (q_ < p_) known_.resize(static_cast<std::size_t>(q_) * patterns_.size());
        auto& kept = q_ < p_ ? known_[pattern * static_cast<std::size_t>(q_) +
                                      static_cast<std::size_t>(rank % q_)]
                             : unique_;
        if (q_ < p_ && !kept.empty()) return kept;
        kept.clear();
        moves_.clear();
        const int asked = like(rank);
        if (q_ < p_ && s_.traits().wire == Wire::per_run) {
            s_.moves(asked, patterns_[pattern].step, moves_);
            for (const Move& m : moves_)
                kept.push_back({m.direction, m.op, mod(m.peer - asked, p_), m.blocks.size(),
                                RotatedMessages(m, s_.traits().wire, p_)});
            return kept;
        }
        sizes_.clear();
        s_.sizes(asked, patterns_[pattern].step, sizes_);
        for (const MoveSize& m : sizes_) kept.push_back(brief(m, asked));
        return kept;
    }
    /// The moves of a rank in all steps. Null: they are known only by the step.
    const std::vector<Brief>* of_all(int rank) {
        unique_.clear();
        sizes_.clear();
        if (!s_.totals(rank, sizes_)) return nullptr;
        for (const MoveSize& m : sizes_) unique_.push_back(brief(m, rank));
        return &unique_;
    }
    int like(int rank) const { return q_ < p_ ? rank % q_ : rank; }

private:
    Brief brief(const MoveSize& m, int asked) const {
        return {m.direction, m.op, mod(m.peer - asked, p_), m.blocks, RotatedMessages(m.messages)};
    }
    const Schedule& s_;
    const std::vector<Pattern>& patterns_;
    int p_, q_;
    std::vector<std::vector<Brief>> known_;
    std::vector<Brief> unique_;
    Step moves_;
    MoveSizes sizes_;
};

/// Adds moves of a rank to the loads of its node and its group.
class Tally {
public:
    Tally(Loads& loads, const LocatedRanks& located)
        : loads_(loads), located_(located), ports_(located.dimensions() * 2) {}

    void begin_node() { node_out_ = node_in_ = 0; }
    void begin_rank() {
        out_ = in_ = messages_out_ = messages_in_ = reduced_ = 0;
        std::ranges::fill(ports_, 0);
    }
    /// Adds one message with one block to and from every other rank. On a torus all ranks use their
    /// ports alike.
    void add_complete(int pattern, int rank, Op op) {
        const int p = static_cast<int>(located_.placement->group.size()),
                  near = located_.nodes.size(located_.nodes.of(rank)),
                  home = located_.groups.size(located_.groups.of(rank));
        out_ = in_ = messages_out_ = messages_in_ = p - 1;
        reduced_ = op == Op::reduce ? p - 1 : 0;
        node_out_ += p - near, node_in_ += p - near;
        group(pattern, true) += p - home, group(pattern, false) += p - home;
        loads_.totals[all_messages] += p - 1;
        loads_.totals[global_volume] += p - home;
        loads_.totals[local_volume] += home - near;
        raise(pattern, farthest, p > home ? 3 : home > near ? 2 : p > 1);
        for (std::size_t d = 0; d < located_.dimensions(); ++d) {
            const int n = located_.torus.shape()[d];
            for (int a = 1; a < n; ++a) send_along(pattern, d, 0, a, p / n);
        }
        int farthest_rank = 0;
        for (const int n : located_.torus.shape()) farthest_rank += n / 2;
        raise(pattern, links_passed, farthest_rank);
    }
    /// `further`: ranks from the one that `m` was asked of.
    void add(int pattern, int rank, int peer, const Brief& m, int further) {
        const std::int64_t n = m.blocks;
        const bool sends = m.direction == Direction::send;
        (sends ? out_ : in_) += n;
        (sends ? messages_out_ : messages_in_) += m.messages.at(further);
        if (sends) loads_.totals[all_messages] += m.messages.at(further);
        if (!sends && m.op == Op::reduce) reduced_ += n;
        if (sends && !ports_.empty()) send(pattern, rank, peer, n);
        const int g = located_.groups.of(rank);
        int far = 1;
        if (located_.nodes.of(rank) != located_.nodes.of(peer)) {
            far = 2;
            (sends ? node_out_ : node_in_) += n;
            if (g != located_.groups.of(peer)) {
                far = 3;
                group(pattern, sends) += n;
            }
            if (sends) loads_.totals[far == 3 ? global_volume : local_volume] += n;
        }
        raise(pattern, farthest, far);
    }
    void end_rank(int pattern) {
        raise(pattern, rank_volume, std::max(out_, in_));
        raise(pattern, rank_messages, std::max(messages_out_, messages_in_));
        raise(pattern, reduced_volume, reduced_);
        if (!ports_.empty()) raise(pattern, port_volume, (std::ranges::max(ports_) + 1) / 2);
    }
    void end_node(int pattern) { raise(pattern, node_volume, std::max(node_out_, node_in_)); }

    /// Ends a group of which all nodes were counted.
    void end_group(int pattern, int nodes) {
        close_group(loads_, static_cast<std::size_t>(pattern), nodes);
    }

    /// Multiplies the loads of a pattern, which was walked once, by its number of steps.
    void scale(int pattern, std::int64_t times) {
        if (times == 1) return;
        group(pattern, false) *= times, group(pattern, true) *= times;
        loads_.busiest_group[static_cast<std::size_t>(pattern) * 2] *= times;
        for (Peak p : {node_volume, rank_volume, rank_messages, reduced_volume, port_volume})
            loads_.peaks[static_cast<std::size_t>(pattern * kPeaks + p)] *= times;
        for (std::size_t i = 0; i < ports_.size(); ++i)
            loads_.lines[static_cast<std::size_t>(pattern) * ports_.size() + i] *= times;
    }

private:
    std::int64_t& group(int pattern, bool out) {
        return loads_.group[static_cast<std::size_t>(pattern) * 2 + (out ? 0 : 1)];
    }
    /// Adds a message to the sender's ports of a torus, and to the links on its way. Equally long
    /// ways carry half each.
    void send(int pattern, int from, int to, std::int64_t blocks) {
        int passed = 0;
        for (std::size_t d = 0; d < located_.dimensions(); ++d) {
            const int a = located_.torus.of(from, d), b = located_.torus.of(to, d);
            if (a != b) passed += send_along(pattern, d, a, b, blocks);
        }
        raise(pattern, links_passed, passed);
    }
    /// Adds a message between two coordinates of a dimension to that dimension's ports and links.
    /// Returns the number of links that it passes.
    int send_along(int pattern, std::size_t d, int from, int to, std::int64_t blocks) {
        const RingWays ways = ring_ways(from, to, located_.torus.shape()[d]);
        const auto ahead = static_cast<std::int64_t>(2 * ways.forward) * blocks,
                   back = 2 * blocks - ahead;
        ports_[2 * d] += ahead;
        ports_[2 * d + 1] += back;
        std::int64_t* const lines =
            &loads_.lines[static_cast<std::size_t>(pattern) * ports_.size() + 2 * d];
        lines[0] += ahead * ways.hops();
        lines[1] += back * ways.hops();
        return ways.hops();
    }
    void raise(int pattern, Peak what, std::int64_t to) {
        auto& x = loads_.peaks[static_cast<std::size_t>(pattern * kPeaks + what)];
        x = std::max(x, to);
    }
    Loads& loads_;
    const LocatedRanks& located_;
    std::vector<std::int64_t> ports_;  ///< half volumes that a rank sends by each port of a torus
    std::int64_t node_out_ = 0, node_in_ = 0, out_ = 0, in_ = 0, messages_out_ = 0,
                 messages_in_ = 0, reduced_ = 0;
};

}  // namespace

namespace {

/// Zero loads of a schedule with this number of patterns, on a torus of so many dimensions.
Loads no_loads(const Traits& traits, std::size_t patterns, std::size_t dimensions) {
    Loads out;
    out.parts = traits.parts;
    out.channels = traits.channels;
    out.permutes = !traits.layout            ? Permutes::never
                   : traits.copies_in_flight ? Permutes::in_flight
                                             : Permutes::at_an_end;
    out.patterns = static_cast<int>(patterns);
    out.times.assign(patterns, 0);
    out.group.assign(patterns * 2, 0);
    out.busiest_group.assign(patterns * 2, 0);
    out.peaks.assign(patterns * kPeaks, 0);
    out.lines.assign(patterns * dimensions * 2, 0);
    out.totals.assign(kTotals, 0);
    return out;
}

/// Counts the moves of the ranks of some nodes.
class Measurement {
public:
    Measurement(const Schedule& s, const std::vector<Pattern>& patterns, const Numbering& numbering,
                const LocatedRanks& located, std::span<const int> nodes, Loads& out)
        : p_(static_cast<int>(located.placement->group.size())),
          patterns_(patterns),
          numbering_(numbering),
          located_(located),
          nodes_(nodes),
          out_(out),
          complete_(s.traits().complete),
          tally_(out, located),
          moves_(s, patterns, p_) {}

    /// Counts all steps as one pattern, each as often as it occurs.
    void merged() {
        walk(0, [&](int rank) {
            if (complete_) return tally_.add_complete(0, rank, *complete_);
            if (const std::vector<Brief>* all = moves_.of_all(numbering_.plays(rank)))
                return add(0, rank, *all, 0);
            for (std::size_t k = 0; k < patterns_.size(); ++k)
                for (std::int64_t i = 0; i < patterns_[k].times; ++i) add(0, rank, k);
        });
    }
    /// Counts each pattern, walking one of its steps.
    void apart() {
        for (std::size_t k = 0; k < patterns_.size(); ++k) {
            const int pattern = static_cast<int>(k);
            const std::int64_t times = patterns_[k].times;
            const std::vector<std::int64_t> before = out_.totals;
            walk(pattern, [&](int rank) { add(pattern, rank, k); });
            out_.times[k] = times;
            tally_.scale(pattern, times);
            for (std::size_t i = 0; i < kTotals; ++i)
                out_.totals[i] = before[i] + (out_.totals[i] - before[i]) * times;
        }
    }

private:
    template <class F>
    void walk(int pattern, F&& of_rank) {
        int counted = 0;  // nodes of the current group
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            const int node = nodes_[i], group = located_.nodes_of_groups.of(node);
            tally_.begin_node();
            for (int rank : located_.nodes.members(node)) {
                tally_.begin_rank();
                of_rank(rank);
                tally_.end_rank(pattern);
            }
            tally_.end_node(pattern);
            if (++counted != located_.nodes_of_groups.size(group)) continue;
            tally_.end_group(pattern, counted);
            counted = 0;
        }
    }
    /// Adds a rank's moves in a step of pattern k to the loads of `pattern`.
    void add(int pattern, int rank, std::size_t k) {
        const int v = numbering_.plays(rank);
        add(pattern, rank, moves_.of(v, k), v - moves_.like(v));
    }
    void add(int pattern, int rank, const std::vector<Brief>& moves, int further) {
        const int v = numbering_.plays(rank);
        for (const Brief& m : moves) {
            const int peer = v + m.ahead < p_ ? v + m.ahead : v + m.ahead - p_;
            tally_.add(pattern, rank, numbering_.rank(peer), m, further);
        }
    }

    int p_;
    const std::vector<Pattern>& patterns_;
    const Numbering& numbering_;
    const LocatedRanks& located_;
    std::span<const int> nodes_;
    Loads& out_;
    std::optional<Op> complete_;  ///< Traits::complete
    Tally tally_;
    Moves moves_;
};

}  // namespace

std::vector<int> LocatedRanks::group_of_nodes() const {
    std::vector<int> out;
    for (int n = 0; n < nodes.count(); ++n) out.push_back(groups.of(nodes.members(n).front()));
    return out;
}

Loads measure(const Candidate& c, const Numbering& numbering, int root,
              const LocatedRanks& located) {
    return measure(c, numbering, root, located, located.nodes_of_groups.by_unit());
}

/// The given number of segments; 0: none is given.
static std::int64_t given_segments(const Parameters& given) {
    for (const auto& [key, value] : given)
        if (key == segments::parameter.name) return value;
    return 0;
}

/// Number of segments whose loads stand for those of any number: one, or where they take different
/// ways the given number, or the default.
static int counted_segments(const Algorithm& a, std::int64_t given) {
    if (!a.segments_differ) return 1;
    return static_cast<int>(given ? given : segments::parameter.fallback);
}

static SchedulePtr made(const Algorithm& a, const Parameters& parameters, int root,
                        const LocatedRanks& located) {
    return schedule(a, {a.collective, static_cast<int>(located.placement->group.size()), root,
                        parameters, a.follows_placement ? located.placement : nullptr,
                        a.follows_shape ? located.torus.shape() : std::vector<int>{}});
}

std::vector<std::int64_t> packing(const Schedule& s, int rank, int patterns_counted, bool pairs) {
    const Traits& t = s.traits();
    std::vector<std::int64_t> out(static_cast<std::size_t>(patterns_counted) * 2, 0);
    if (t.wire != Wire::packed || t.layout) return out;
    // Parts of a channel lie apart: each is a run, which is known without asking for runs. So are
    // the blocks of pairs of ranks, nearly: p^2 are too many to ask for.
    const bool apart = pairs || (t.parts > 1 && !t.parts_together);
    const std::vector<Pattern> all = patterns(s);
    MoveSizes moves;
    for (std::size_t k = 0; k < all.size(); ++k) {
        moves.clear();
        s.sizes(rank, all[k].step, apart ? Wire::packed : Wire::per_run, moves);
        const std::size_t at = 2 * std::min(k, static_cast<std::size_t>(patterns_counted) - 1);
        for (const MoveSize& m : moves) {
            const std::int64_t runs = apart ? m.blocks : m.messages;
            if (runs < 2) continue;
            out[at] += m.blocks * all[k].times;
            out[at + 1] += runs * all[k].times;
        }
    }
    return out;
}

/// Whether these nodes are of a torus and have the rank, whose copies are counted.
static bool counts_copies(const LocatedRanks& located, std::span<const int> nodes, int rank) {
    return located.dimensions() > 0 &&
           std::ranges::find(nodes, located.nodes.of(rank)) != nodes.end();
}

Loads measure(const Candidate& c, const Numbering& numbering, int root, const LocatedRanks& located,
              std::span<const int> nodes) {
    const Algorithm& a = *c.algorithm;
    const bool pipeline = pipelined(a);
    Parameters parameters = c.parameters;
    const std::int64_t given = pipeline ? given_segments(parameters) : 0;
    const int segments = pipeline ? counted_segments(a, given) : 1;
    if (pipeline) parameters.emplace_back(segments::parameter.name, segments);
    const SchedulePtr s =
        made(a, parameters, rooted(a.collective) ? numbering.plays(root) : 0, located);
    const std::vector<Pattern> all = patterns(*s);
    const bool many = static_cast<int>(all.size()) > kMostPatterns;
    // A single segment overlaps nothing: its steps count apart, if there are not too many.
    const bool overlaps = pipeline && (given != 1 || many);
    const bool merged = overlaps || s->steps() == 1 || many;
    Loads out = no_loads(s->traits(), merged ? 1 : all.size(), located.dimensions());
    out.pipelined = overlaps;
    out.segments = given;
    Measurement measurement(*s, all, numbering, located, nodes, out);
    if (merged) {
        out.times[0] = s->steps() - (overlaps ? std::min(segments - 1, s->steps()) : 0);
        measurement.merged();
        if (overlaps) out.peaks[rank_messages] = ceil_div(out.peaks[rank_messages], segments);
    } else {
        measurement.apart();
    }
    if (counts_copies(located, nodes, root))
        out.packed = packing(*s, numbering.plays(root), out.patterns, pairs(a.collective));
    return out;
}

}  // namespace hopbine::select
