#include "families/torus/bucket.hpp"

#include <algorithm>

#include "combinators/combinators.hpp"
#include "families/ports.hpp"
#include "families/ring/ring.hpp"
#include "families/torus/dimension_order.hpp"
#include "families/torus/swing.hpp"
#include "families/torus/torus_tree.hpp"

namespace hopbine::bucket {

namespace {

/// How many messages on a ring bring something from coordinate 0 to each other one.
std::vector<int> hops_from_first(const Schedule& line, int n) {
    std::vector<int> out(static_cast<std::size_t>(n), 0);
    MoveSizes now;
    for (int at = 0, hops = 0; hops + 1 < n;) {
        now.clear();
        line.sizes(at, 0, Wire::packed, now);
        for (const MoveSize& m : now)
            if (m.direction == Direction::send) at = m.peer;
        out[static_cast<std::size_t>(at)] = ++hops;
    }
    return out;
}

/// The moves of rank 0's blocks in the reduce_scatter on rings: along its own ring of the first
/// dimension, then along those of the ranks that have got some.
class Scatter : public torus::OnTorus {
public:
    Scatter(torus::Shape shape, torus::Lines lines, torus::Turns turns, int first)
        : OnTorus(std::move(shape), std::move(lines), turns, first) {
        for (std::size_t e = 0; e < lines_.size(); ++e)
            hops_.push_back(hops_from_first(*lines_[e], this->shape()[e]));
    }
    void moves(int rank, int s, Step& out) const override {
        if (idle(s) || others(rank, s) == 0) return;
        const auto [d, step] = turn(s);
        std::vector<BlockSet> has;
        for (std::size_t e = 0; e < shape().size(); ++e) {
            const int own = at_.of(rank, e);
            has.push_back(done(s, e) ? BlockSet::range(own, own + 1)
                                     : BlockSet::range(0, shape()[e]));
        }
        Step along;
        lines_[d]->moves(at_.of(rank, d), step, along);
        for (const Move& m : along) {
            if (!from_first(m, rank, s)) continue;
            has[d] = m.blocks;
            out.push_back({m.direction, Op::copy, at_.moved(rank, d, m.peer),
                           torus::product(shape(), has), m.channel});
        }
    }

protected:
    void count(int rank, int s, MoveSizes& out) const override {
        const std::int64_t each = idle(s) ? 0 : others(rank, s);
        if (each == 0) return;
        const auto [d, step] = turn(s);
        const std::size_t before = out.size();
        lines_[d]->sizes(at_.of(rank, d), step, Wire::packed, out);
        std::size_t end = before;
        for (std::size_t i = before; i < out.size(); ++i)
            if (from_first(out[i], rank, s))
                out[end++] = {out[i].direction, Op::copy, at_.moved(rank, d, out[i].peer), each};
        out.resize(end);
    }

private:
    /// Whether what a move of the line sends in a step comes from coordinate 0: it had the time to.
    template <class AnyMove>
    bool from_first(const AnyMove& m, int rank, int s) const {
        const auto [d, step] = turn(s);
        const int sender = m.direction == Direction::send ? at_.of(rank, d) : m.peer;
        return step >= hops_[d][static_cast<std::size_t>(sender)];
    }
    /// Blocks that a rank has for each coordinate of the dimension whose turn it is: 0 where it has
    /// another coordinate than rank 0 in a dimension to come.
    std::int64_t others(int rank, int s) const {
        std::int64_t n = 1;
        for (std::size_t e = 0; e < shape().size(); ++e) {
            if (e == turn(s).dimension || done(s, e)) continue;
            if (at_.of(rank, e) != 0) return 0;
            n *= shape()[e];
        }
        return n;
    }
    std::vector<std::vector<int>> hops_;  ///< [dimension][coordinate]
};

}  // namespace

int steps(const Problem& q) {
    const int longest = *std::max_element(q.shape.begin(), q.shape.end());
    return torus::steps(
        q.shape, [&](int n) { return (turns(q) == torus::Turns::phases ? longest : n) - 1; });
}

SchedulePtr on_ports(const Problem& q, bool apart,
                     const std::function<SchedulePtr(const torus::Lines&, int)>& make) {
    return swing::on_ports(q, ring_reduce_scatter, apart, make);
}

SchedulePtr scatter(const Problem& q) {
    const std::vector<int> order = torus::seen_from(q.root, q.shape);
    return on_ports(q, false, [&](const torus::Lines& lines, int first) {
        const auto all = std::make_shared<Scatter>(q.shape, lines, turns(q), first);
        return relabelled(with_symmetry(all, 0, {}), Collective::scatter, order);
    });
}

std::int64_t scatter_hops(const Problem& q) {
    std::int64_t all = 0;
    for (const std::int64_t n : q.shape) all += q.p / n * n * (n - 1) / 2;
    return all * ports::parts(q);
}

}  // namespace hopbine::bucket
