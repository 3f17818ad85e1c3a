#include "combinators/direct_last.hpp"
#include "families/bine/bine.hpp"
#include "schedule/integers.hpp"

namespace hopbine::bine {

namespace {

/// Sends a block from o to d on the path of o's contribution to block d in a reduce_scatter.
class Alltoall : public Schedule {
public:
    /// Runs `p` ranks on the butterfly; blocks are numbered origin * stride + destination.
    Alltoall(int p, int stride)
        : Schedule({.period = 2}),
          butterfly_(p, Order::doubling),
          blocks_(butterfly_.contributions()),
          stride_(stride) {}
    int steps() const override { return butterfly_.steps(); }
    void moves(int r, int t, Step& out) const override {
        const int q = butterfly_.partner(r, t);
        out.push_back({Direction::send, Op::copy, q, carried(r, t)});
        out.push_back({Direction::recv, Op::copy, q, carried(q, t)});
    }

protected:
    void count(int r, int t, MoveSizes& out) const override {
        const int q = butterfly_.partner(r, t);
        for (const Direction direction : {Direction::send, Direction::recv})
            out.push_back({direction, Op::copy, q, blocks_[static_cast<std::size_t>(t)]});
    }

private:
    BlockSet carried(int r, int t) const {
        std::vector<Block> out;
        for (Block d : butterfly_.sent(r, t)) collect(r, t, static_cast<int>(d), out);
        return BlockSet::of(std::move(out));
    }
    /// Collects the blocks for d at rank r before step t: its own, and those from its partners.
    void collect(int r, int t, int d, std::vector<Block>& out) const {
        out.push_back(Block{r} * stride_ + d);
        for (int u = 0; u < t; ++u) {
            const int q = butterfly_.partner(r, u);
            if (butterfly_.sent_at(q, d) == u) collect(q, u, d, out);
        }
    }
    Butterfly butterfly_;
    std::vector<std::int64_t> blocks_;  ///< that a rank sends in each step
    int stride_;
};

}  // namespace

SchedulePtr alltoall(int p) {
    if (p % 2 == 0 || p == 1) return std::make_shared<Alltoall>(p, p);
    return direct_last(
        std::make_shared<Alltoall>(p - 1, p), p,
        [p](int rank) { return BlockSet::single(Block{rank} * p + p - 1); },
        [p](int rank) { return BlockSet::single(Block{p - 1} * p + rank); }, Op::copy);
}

Claim alltoall_claim(int p) {
    const std::int64_t even = p - p % 2;
    return {steps(p), even * even * ceil_log2(p) / 2 + 2 * (p - even) * even, power_of_two(p)};
}

}  // namespace hopbine::bine
