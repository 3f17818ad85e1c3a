#include <algorithm>
#include <numeric>

#include "combinators/direct_last.hpp"
#include "combinators/merged_steps.hpp"
#include "families/bine/bine.hpp"
#include "families/bine/bine_local.hpp"
#include "schedule/integers.hpp"

namespace hopbine::bine {

namespace {

class ReduceScatter : public Schedule {
public:
    ReduceScatter(int p, Order order) : Schedule({.period = 2}), butterfly_(p, order) {}
    int steps() const override { return butterfly_.steps(); }
    void moves(int r, int t, Step& out) const override {
        const int q = butterfly_.partner(r, t);
        out.push_back({Direction::send, Op::reduce, q, BlockSet::of(butterfly_.sent(r, t))});
        out.push_back({Direction::recv, Op::reduce, q, BlockSet::of(butterfly_.sent(q, t))});
    }
    void common(int r, int t, const BlockSet& some, std::vector<std::int64_t>& out) const override {
        for (const int sender : {r, butterfly_.partner(r, t)}) {
            std::int64_t& n = out.emplace_back(0);
            some.each([&](Block b) {
                n += b < butterfly_.p() && butterfly_.sent_at(sender, static_cast<int>(b)) == t;
            });
        }
    }

protected:
    void count(int r, int t, MoveSizes& out) const override {
        const int q = butterfly_.partner(r, t);
        for (const Direction direction : {Direction::send, Direction::recv})
            out.push_back({direction, Op::reduce, q, butterfly_.blocks_sent(t)});
    }
    void count_runs(int r, int t, MoveSizes& out) const override {
        const int q = butterfly_.partner(r, t);
        const std::int64_t n = butterfly_.blocks_sent(t);
        out.push_back({Direction::send, Op::reduce, q, n, butterfly_.runs_sent(r, t)});
        out.push_back({Direction::recv, Op::reduce, q, n, butterfly_.runs_sent(q, t)});
    }

private:
    Butterfly butterfly_;
};

/// Aligned run of the positions that share the top t bits of nu(r); p a power of two.
BlockSet sharing_top_bits(int r, int t, int p) {
    const Block width = Block{p} >> t, first = static_cast<Block>(nu(r, p)) / width * width;
    return BlockSet::range(first, first + width);
}

/// Reduce_scatter with contiguous blocks, for p a power of two. From step t on rank r covers the
/// blocks whose positions share the top t bits of nu(r).
class ContiguousReduceScatter : public Schedule {
public:
    explicit ContiguousReduceScatter(int p) : Schedule({.period = 2}), p_(p) {}
    int steps() const override { return ceil_log2(p_); }
    void moves(int r, int t, Step& out) const override {
        const int q = pi(r, t, p_);
        out.push_back({Direction::send, Op::reduce, q, sharing_top_bits(q, t + 1, p_)});
        out.push_back({Direction::recv, Op::reduce, q, sharing_top_bits(r, t + 1, p_)});
    }

private:
    int p_;
};

/// Reduce_scatter in distance-halving order, for p a power of two. From step t on a rank covers one
/// circular run of blocks (Sec. 4.3.1).
class HalvingReduceScatter : public Schedule {
public:
    explicit HalvingReduceScatter(int p)
        : Schedule({.period = 2}), p_(p), first_(static_cast<std::size_t>(ceil_log2(p)) + 1) {
        for (int t = steps() - 1; t >= 0; --t)
            first_[at(t)] =
                std::min(first_[at(t + 1)], distance(t) - first_[at(t + 1)] - (width(t + 1) - 1));
    }
    int steps() const override { return ceil_log2(p_); }
    void moves(int r, int t, Step& out) const override {
        const int q = partner(r, t);
        out.push_back({Direction::send, Op::reduce, q, covered(q, t + 1)});
        out.push_back({Direction::recv, Op::reduce, q, covered(r, t + 1)});
    }

protected:
    void count(int r, int t, MoveSizes& out) const override {
        for (const Direction direction : {Direction::send, Direction::recv})
            out.push_back({direction, Op::reduce, partner(r, t), width(t + 1)});
    }

private:
    static std::size_t at(int t) { return static_cast<std::size_t>(t); }
    Block distance(int t) const { return rho(steps() - 1 - t); }
    Block width(int t) const { return Block{p_} >> t; }
    int partner(int r, int t) const { return pi(r, steps() - 1 - t, p_); }
    /// An odd rank's offsets are those of an even one, mirrored.
    BlockSet covered(int r, int t) const {
        const Block from = r % 2 ? r - first_[at(t)] - (width(t) - 1) : r + first_[at(t)];
        return BlockSet::circular(from, width(t), p_);
    }

    int p_;
    std::vector<Block> first_;  ///< offset of the first block that rank 0 covers from step t on
};

class WholeVector : public Schedule {
public:
    WholeVector(int ranks, int blocks) : Schedule({.period = 2}), p_(ranks), blocks_(blocks) {}
    int steps() const override { return ceil_log2(p_); }
    void moves(int r, int t, Step& out) const override {
        const int q = pi(r, t, p_);
        out.push_back({Direction::send, Op::reduce, q, BlockSet::range(0, blocks_)});
        out.push_back({Direction::recv, Op::reduce, q, BlockSet::range(0, blocks_)});
    }

private:
    int p_, blocks_;
};

/// Reduce_scatter on an even number of ranks, or on one.
SchedulePtr on_even(int p, Order order, bool contiguous) {
    if (contiguous) return std::make_shared<ContiguousReduceScatter>(p);
    if (order == Order::halving && power_of_two(p))
        return std::make_shared<HalvingReduceScatter>(p);
    return std::make_shared<ReduceScatter>(p, order);
}

}  // namespace

int steps(int p) { return ceil_log2(p - p % 2); }

SchedulePtr reduce_scatter(int p, Order order, bool contiguous, int at_once) {
    if (p % 2 == 0 || p == 1) return merged_steps(on_even(p, order, contiguous), p, at_once);
    return direct_last(
        reduce_scatter(p - 1, order, false, at_once), p,
        [p](int) { return BlockSet::single(p - 1); },
        [](int rank) { return BlockSet::single(rank); }, Op::reduce, at_once);
}

SchedulePtr allgather(int p, Order order, bool contiguous) {
    return reversed(reduce_scatter(p, order, contiguous), Op::copy);
}

SchedulePtr allreduce(int p) {
    const bool contiguous = power_of_two(p);
    return sequence({reduce_scatter(p, Order::doubling, contiguous),
                     allgather(p, Order::doubling, contiguous)});
}

SchedulePtr whole_vector_butterfly(int ranks, int blocks) {
    return std::make_shared<WholeVector>(ranks, blocks);
}

SchedulePtr halving_bcast(int p, int root) {
    if (!power_of_two(p)) return tree_bcast(halving_tree(p), root);
    return rotated(halving_walk(p, [p](int) { return BlockSet::range(0, p); }), p, root, false);
}

SchedulePtr halving_scatter(int p, int root) {
    if (!power_of_two(p)) return tree_scatter(halving_tree(p), root);
    return rotated(halving_walk(p, [p](int rank) { return halving_subtree(rank, p); }), p, root,
                   true);
}

namespace {

/// The distance-doubling scatter from rank 0, where every rank ends with the block that the
/// distance-doubling reduce_scatter leaves it.
struct DoublingScatter {
    std::function<BlockSet(int rank)> below;  ///< the blocks of the subtree of a rank
    SchedulePtr walk;
};

DoublingScatter doubling_scatter(int p) {
    if (power_of_two(p)) {
        // The subtree of a rank reached in step i shares the top i + 1 bits of nu (Sec. 3.2.3).
        const auto below = [p](int r) { return sharing_top_bits(r, doubling_step(r, p) + 1, p); };
        return {below, doubling_walk(p, below)};
    }
    const auto tree = std::make_shared<const Tree>(doubling_tree(p));
    const auto below = [tree](int r) { return BlockSet::of(tree->subtree(r)); };
    return {below, tree_walk(tree, below)};
}

}  // namespace

SchedulePtr scatter_allgather(int p, int root) {
    const DoublingScatter down = doubling_scatter(p);
    const auto up = skipping(allgather(p, Order::doubling, power_of_two(p)), down.below);
    return rotated(sequence({down.walk, up}), p, root, false);
}

SchedulePtr reduce_scatter_gather(int p, int root) {
    const SchedulePtr gather = reversed(doubling_scatter(p).walk, Op::copy);
    return rotated(sequence({reduce_scatter(p, Order::doubling, power_of_two(p)), gather}), p, root,
                   false);
}

std::int64_t gathered_blocks(int p) {
    const std::vector<int> depth = doubling_tree(p).depth;
    return std::accumulate(depth.begin(), depth.end(), std::int64_t{0});
}

}  // namespace hopbine::bine
