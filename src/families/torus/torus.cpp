#include "families/torus/torus.hpp"

#include <mutex>

#include "families/torus/dimension_order.hpp"
#include "families/torus/line_tables.hpp"

namespace hopbine::torus {

namespace {

class ReduceScatter : public OnTorus {
public:
    ReduceScatter(Shape shape, Lines lines, Turns turns, int first)
        : OnTorus(std::move(shape), std::move(lines), turns, first) {
        for (std::size_t e = 0; e < lines_.size(); ++e) sent_.emplace_back(lines_[e], extent(e));
    }
    void moves(int rank, int s, Step& out) const override {
        if (idle(s) || others(rank, s) == 0) return;
        const auto [d, step] = turn(s);
        std::vector<BlockSet> covered(shape().size());
        for (std::size_t e = 0; e < shape().size(); ++e)
            if (e != d) covered[e] = covers(e, at_.of(rank, e), s);
        Step along;
        lines_[d]->moves(at_.of(rank, d), step, along);
        for (const Move& m : along) {
            covered[d] = m.blocks;
            out.push_back({m.direction, m.op, at_.moved(rank, d, m.peer), product(shape(), covered),
                           m.channel});
        }
    }
    void common(int rank, int s, const BlockSet& some,
                std::vector<std::int64_t>& out) const override {
        if (idle(s) || others(rank, s) == 0) return;
        const auto [d, step] = turn(s);
        MoveSizes along;
        lines_[d]->sizes(at_.of(rank, d), step, Wire::packed, along);
        for (const MoveSize& m : along) {
            const int peer = at_.moved(rank, d, m.peer);
            const bool sends = m.direction == Direction::send;
            std::int64_t& n = out.emplace_back(0);
            some.each([&](Block b) {
                n += sent(sends ? rank : peer, sends ? peer : rank, static_cast<int>(b), s);
            });
        }
    }

protected:
    void count(int rank, int s, MoveSizes& out) const override {
        const std::int64_t each = idle(s) ? 0 : others(rank, s);
        if (each == 0) return;
        const auto [d, step] = turn(s);
        const std::size_t before = out.size();
        lines_[d]->sizes(at_.of(rank, d), step, Wire::packed, out);
        for (std::size_t i = before; i < out.size(); ++i) {
            out[i].peer = at_.moved(rank, d, out[i].peer);
            out[i].blocks *= each;
        }
    }

private:
    int extent(std::size_t e) const { return shape()[e]; }
    /// Number of blocks that a rank covers for each coordinate of the dimension whose turn it is.
    std::int64_t others(int rank, int s) const {
        std::call_once(counted_, [this] { count_covered(); });
        std::int64_t n = 1;
        for (std::size_t e = 0; e < shape().size(); ++e)
            if (e != turn(s).dimension) n *= covered_[e].before(done(s, e), at_.of(rank, e));
        return n;
    }
    void count_covered() const {
        for (std::size_t e = 0; e < shape().size(); ++e)
            covered_.emplace_back(*lines_[e], extent(e));
    }
    /// Whether step s moves block b between two ranks, along the dimension whose turn it is: the
    /// sender still covers its other coordinates.
    bool sent(int from, int to, int b, int s) const {
        const auto [d, step] = turn(s);
        for (std::size_t e = 0; e < shape().size(); ++e) {
            const SentOnLine::Message* const m = sent_[e].of(at_.of(from, e), at_.of(b, e));
            const bool fits = e == d ? m && m->step == step && m->peer == at_.of(to, d)
                                     : !m || m->step >= done(s, e);
            if (!fits) return false;
        }
        return true;
    }
    /// Coordinates in dimension d of the blocks that a rank at coordinate a covers before step s.
    BlockSet covers(std::size_t d, int a, int s) const {
        BlockSet out = BlockSet::range(0, shape()[d]);
        Step along;
        for (int t = 0; t < s; ++t) {
            if (turn(t).dimension != d || idle(t)) continue;
            along.clear();
            lines_[d]->moves(a, turn(t).step, along);
            for (const Move& m : along)
                if (m.direction == Direction::send) out = out.minus(m.blocks);
        }
        return out;
    }

    std::vector<SentOnLine> sent_;  ///< [dimension]
    mutable std::once_flag counted_;
    mutable std::vector<CoveredOnLine> covered_;  ///< [dimension]
};

class WholeVectors : public OnTorus {
public:
    using OnTorus::OnTorus;
    void moves(int rank, int s, Step& out) const override {
        const auto [d, step] = turn(s);
        const std::size_t before = out.size();
        lines_[d]->moves(at_.of(rank, d), step, out);
        for (std::size_t i = before; i < out.size(); ++i) {
            out[i].peer = at_.moved(rank, d, out[i].peer);
            out[i].blocks = BlockSet::range(0, ranks(shape()));
        }
    }

protected:
    void count(int rank, int s, MoveSizes& out) const override {
        const auto [d, step] = turn(s);
        const std::size_t before = out.size();
        lines_[d]->sizes(at_.of(rank, d), step, Wire::packed, out);
        for (std::size_t i = before; i < out.size(); ++i) {
            out[i].peer = at_.moved(rank, d, out[i].peer);
            out[i].blocks = ranks(shape());
        }
    }
};

}  // namespace

BlockSet product(const Shape& shape, const std::vector<BlockSet>& sets) {
    std::vector<Run> runs = {{0, 1}};
    for (std::size_t d = 0; d < sets.size(); ++d) {
        std::vector<Run> next;
        for (const Run& outer : runs)
            for (Block o = outer.lo; o < outer.hi; ++o)
                for (const Run& r : sets[d].runs()) {
                    const Block lo = o * shape[d] + r.lo, hi = o * shape[d] + r.hi;
                    if (!next.empty() && next.back().hi == lo)
                        next.back().hi = hi;
                    else
                        next.push_back({lo, hi});
                }
        runs = std::move(next);
    }
    return BlockSet::of_runs(std::move(runs));
}

Lines lines_of(const Shape& shape, const Line& line) {
    Lines lines;
    for (int n : shape) lines.push_back(line(n));
    return lines;
}

SchedulePtr reduce_scatter(const Shape& shape, Lines lines, Turns turns, int first) {
    return std::make_shared<ReduceScatter>(shape, std::move(lines), turns, first);
}

SchedulePtr whole_vectors(const Shape& shape, Lines lines, int first) {
    return std::make_shared<WholeVectors>(shape, std::move(lines), Turns::step_by_step, first);
}

int steps(const Shape& shape, const std::function<int(int)>& steps) {
    int all = 0;
    for (int n : shape) all += steps(n);
    return all;
}

}  // namespace hopbine::torus
