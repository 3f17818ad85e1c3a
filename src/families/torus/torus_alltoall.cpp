#include "families/torus/torus_alltoall.hpp"

#include "combinators/symmetric.hpp"
#include "families/torus/dimension_order.hpp"

namespace hopbine::torus {

namespace {

/// Pairwise exchange along a dimension, in which a message stands for the coordinate that it is
/// for.
SchedulePtr pairwise(int n) {
    return shifts(
        n, n - 1, Op::copy, [](int s) { return s + 1; },
        [n](int a, int s) { return BlockSet::single(mod(a + s + 1, n)); });
}

class Alltoall : public OnTorus {
public:
    using OnTorus::OnTorus;
    void moves(int rank, int s, Step& out) const override {
        const auto [d, step] = turn(s);
        Step along;
        lines_[d]->moves(at_.of(rank, d), step, along);
        for (Move& m : along) {
            const int peer = at_.moved(rank, d, m.peer);
            const bool sends = m.direction == Direction::send;
            out.push_back({m.direction, Op::copy, peer,
                           from_to(sends ? rank : peer, sends ? peer : rank, d, s)});
        }
    }

protected:
    void count(int rank, int s, MoveSizes& out) const override {
        const auto [d, step] = turn(s);
        const std::size_t before = out.size();
        lines_[d]->sizes(at_.of(rank, d), step, Wire::packed, out);
        for (std::size_t i = before; i < out.size(); ++i)
            out[i] = {out[i].direction, Op::copy, at_.moved(rank, d, out[i].peer),
                      ranks(shape()) / shape()[d]};
    }

private:
    /// Blocks that `sender` passes on along dimension d. It has those of origins that differ from
    /// it in dimensions that have had their turn, for destinations that differ in the others.
    BlockSet from_to(int sender, int receiver, std::size_t d, int s) const {
        const std::size_t D = shape().size();
        std::vector<bool> done(D);
        for (int t = 0; t < s; ++t) done[turn(t).dimension] = true;
        std::vector<BlockSet> sets(2 * D);
        for (std::size_t e = 0; e < D; ++e) {
            const BlockSet any = BlockSet::range(0, shape()[e]);
            sets[e] = done[e] && e != d ? any : BlockSet::single(at_.of(sender, e));
            sets[D + e] = done[e] || e == d ? BlockSet::single(at_.of(receiver, e)) : any;
        }
        Shape twice = shape();
        twice.insert(twice.end(), shape().begin(), shape().end());
        return product(twice, sets);
    }
};

}  // namespace

SchedulePtr alltoall(const Problem& q) {
    return on_ports(q.shape, 1, Ports::swing, pairwise, mirrored(pairwise), false,
                    [&](const Lines& lines, int first) {
                        return std::make_shared<Alltoall>(q.shape, lines, Turns::whole_dimensions,
                                                          first);
                    });
}

int alltoall_steps(const Problem& q) {
    return steps(q.shape, [](int n) { return n - 1; });
}

}  // namespace hopbine::torus
