#include "families/torus/torus_alltoall.hpp"

#include <mutex>

#include "families/bine/bine.hpp"
#include "families/exchange/direct_alltoall.hpp"
#include "families/ports.hpp"
#include "families/torus/dimension_order.hpp"
#include "families/torus/line_tables.hpp"

namespace hopbine::torus {

namespace {

/// Alltoall whose lines are alltoalls of the coordinates. A block is one of the pair of coordinates
/// of its origin and its destination in every dimension, and moves where the line of a dimension
/// moves that pair.
class Alltoall : public OnTorus {
public:
    Alltoall(const Shape& shape, Lines lines, Turns turns, int first)
        : OnTorus(shape, std::move(lines), turns, first) {}
    void moves(int rank, int s, Step& out) const override {
        const auto [d, step] = turn(s);
        std::vector<BlockSet> pairs = held(rank, s);
        Step along;
        lines_[d]->moves(at_.of(rank, d), step, along);
        for (const Move& m : along) {
            pairs[d] = m.blocks;
            out.push_back({m.direction, Op::copy, at_.moved(rank, d, m.peer), blocks_of(pairs)});
        }
    }

protected:
    void count(int rank, int s, MoveSizes& out) const override {
        std::call_once(counted_, [this] {
            for (std::size_t e = 0; e < shape().size(); ++e)
                held_.emplace_back(*lines_[e], shape()[e], /*keeps_received=*/true);
        });
        const auto [d, step] = turn(s);
        std::int64_t others = 1;
        for (std::size_t e = 0; e < shape().size(); ++e)
            if (e != d) others *= held_[e].before(done(s, e), at_.of(rank, e));
        const std::size_t before = out.size();
        lines_[d]->sizes(at_.of(rank, d), step, Wire::packed, out);
        for (std::size_t i = before; i < out.size(); ++i) {
            out[i].peer = at_.moved(rank, d, out[i].peer);
            out[i].blocks *= others;
        }
    }

private:
    /// Pairs of coordinates of the blocks at a rank before step s, in every dimension.
    std::vector<BlockSet> held(int rank, int s) const {
        std::vector<BlockSet> out;
        for (std::size_t e = 0; e < shape().size(); ++e) {
            const Block n = shape()[e], a = at_.of(rank, e);
            BlockSet pairs = BlockSet::range(a * n, a * n + n);
            Step along;
            for (int step = 0; step < done(s, e); ++step) {
                along.clear();
                lines_[e]->moves(static_cast<int>(a), step, along);
                for (const Move& m : along)
                    pairs = m.direction == Direction::send ? pairs.minus(m.blocks)
                                                           : pairs.plus(m.blocks);
            }
            out.push_back(std::move(pairs));
        }
        return out;
    }
    /// The blocks with these pairs of coordinates.
    BlockSet blocks_of(const std::vector<BlockSet>& pairs) const {
        const Block p = ranks(shape());
        std::vector<Block> out = {0};
        for (std::size_t e = 0; e < pairs.size(); ++e) {
            const Block n = shape()[e];
            std::vector<Block> next;
            for (const Block outer : out)
                pairs[e].each([&](Block pair) {
                    const Block origin = outer / p * n + pair / n,
                                destination = outer % p * n + pair % n;
                    next.push_back(origin * p + destination);
                });
            out = std::move(next);
        }
        return BlockSet::of(std::move(out));
    }

    mutable std::once_flag counted_;
    mutable std::vector<CoveredOnLine> held_;  ///< [dimension]: pairs at a coordinate
};

}  // namespace

SchedulePtr alltoall(const Problem& q) {
    const Line line = [](int n) { return direct_alltoall::batches(n, 1); };
    return std::make_shared<Alltoall>(q.shape, lines_of(q.shape, line), Turns::whole_dimensions, 0);
}

int alltoall_steps(const Problem& q) {
    return steps(q.shape, [](int n) { return n - 1; });
}

SchedulePtr bine_alltoall(const Problem& q) {
    return on_ports(
        q.shape, ports::parts(q), Ports::bine, bine::alltoall,
        mirrored(bine::alltoall, Collective::alltoall), false, [&](const Lines& lines, int first) {
            return std::make_shared<Alltoall>(q.shape, lines, Turns::step_by_step, first);
        });
}

}  // namespace hopbine::torus
