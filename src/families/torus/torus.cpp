#include "families/torus/dimension_order.hpp"

namespace hopbine::torus {

namespace {

class ReduceScatter : public OnTorus {
public:
    using OnTorus::OnTorus;
    void moves(int rank, int s, Step& out) const override {
        if (idle(s)) return;
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

private:
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
