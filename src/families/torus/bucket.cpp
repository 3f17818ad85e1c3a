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

/// Step in which coordinate 0 of a line sends each block. Its own is never sent.
std::vector<int> sent_by_first(const Schedule& line, int n) {
    std::vector<int> out(static_cast<std::size_t>(n), line.steps());
    Step now;
    for (int s = 0; s < line.steps(); ++s) {
        now.clear();
        line.moves(0, s, now);
        for (const Move& m : now)
            if (m.direction == Direction::send)
                m.blocks.each([&](Block b) { out[static_cast<std::size_t>(b)] = s; });
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
            leaves_.push_back(sent_by_first(*lines_[e], this->shape()[e]));
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
            if (!has_left(m, d, step)) continue;
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
        Step along;
        lines_[d]->moves(at_.of(rank, d), step, along);
        for (const Move& m : along)
            if (has_left(m, d, step))
                out.push_back({m.direction, Op::copy, at_.moved(rank, d, m.peer), each});
    }

private:
    /// Whether the block of a move in a step of dimension d comes from coordinate 0.
    bool has_left(const Move& m, std::size_t d, int step) const {
        return step >= leaves_[d][static_cast<std::size_t>(m.blocks.runs().front().lo)];
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
    std::vector<std::vector<int>> leaves_;  ///< [dimension][block of its line]
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
