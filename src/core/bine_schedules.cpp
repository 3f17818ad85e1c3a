#include "core/bine.hpp"
#include "core/direct_last.hpp"
#include "core/numbers.hpp"

namespace hopbine::bine {

namespace {

class ReduceScatter : public Schedule {
public:
    ReduceScatter(int p, Order order) : butterfly_(p, order) {}
    int steps() const override { return butterfly_.steps(); }
    int period() const override { return 2; }
    void moves(int r, int t, Step& out) const override {
        const int q = butterfly_.partner(r, t);
        out.push_back({Way::send, Mode::reduce, q, BlockSet::of(butterfly_.sent(r, t))});
        out.push_back({Way::recv, Mode::reduce, q, BlockSet::of(butterfly_.sent(q, t))});
    }

private:
    Butterfly butterfly_;
};

/// The positions, as an aligned run, that share the top t bits of nu(r); p a power of two.
BlockSet sharing_top_bits(int r, int t, int p) {
    const Block width = Block{p} >> t, first = static_cast<Block>(nu(r, p)) / width * width;
    return BlockSet::range(first, first + width);
}

/// p a power of two: the blocks that rank r covers from step t on are those whose position shares the top t bits of nu(r).
class ContiguousReduceScatter : public Schedule {
public:
    explicit ContiguousReduceScatter(int p) : p_(p) {}
    int steps() const override { return ceil_log2(p_); }
    int period() const override { return 2; }
    void moves(int r, int t, Step& out) const override {
        const int q = pi(r, t, p_);
        out.push_back({Way::send, Mode::reduce, q, sharing_top_bits(q, t + 1, p_)});
        out.push_back({Way::recv, Mode::reduce, q, sharing_top_bits(r, t + 1, p_)});
    }

private:
    int p_;
};

class WholeVector : public Schedule {
public:
    WholeVector(int ranks, int blocks) : p_(ranks), blocks_(blocks) {}
    int steps() const override { return ceil_log2(p_); }
    int period() const override { return 2; }
    void moves(int r, int t, Step& out) const override {
        const int q = pi(r, t, p_);
        out.push_back({Way::send, Mode::reduce, q, BlockSet::range(0, blocks_)});
        out.push_back({Way::recv, Mode::reduce, q, BlockSet::range(0, blocks_)});
    }

private:
    int p_, blocks_;
};

class Reorder : public Schedule {
public:
    explicit Reorder(int p) : p_(p), owner_(static_cast<std::size_t>(p)) {
        for (int r = 0; r < p; ++r) owner_[nu(r, p)] = r;
    }
    int steps() const override { return 1; }
    void moves(int r, int, Step& out) const override {
        const int block = static_cast<int>(nu(r, p_));
        if (block == r) return;
        out.push_back({Way::send, Mode::copy, block, BlockSet::single(block)});
        out.push_back({Way::recv, Mode::copy, owner_[static_cast<std::size_t>(r)], BlockSet::single(r)});
    }

private:
    int p_;
    std::vector<int> owner_;
};

}  // namespace

SchedulePtr reduce_scatter(int p, Order order, bool contiguous) {
    if (contiguous) return std::make_shared<ContiguousReduceScatter>(p);
    if (p % 2 == 0 || p == 1) return std::make_shared<ReduceScatter>(p, order);
    return direct_last(
        std::make_shared<ReduceScatter>(p - 1, order), p, [p](int) { return BlockSet::single(p - 1); },
        [](int rank) { return BlockSet::single(rank); }, Mode::reduce);
}

SchedulePtr allgather(int p, Order order, bool contiguous) {
    return reversed(reduce_scatter(p, order, contiguous), Mode::copy);
}

SchedulePtr whole_vector_butterfly(int ranks, int blocks) { return std::make_shared<WholeVector>(ranks, blocks); }

SchedulePtr reorder(int p) { return std::make_shared<Reorder>(p); }

SchedulePtr reorder_back(int p) { return reversed(reorder(p), Mode::copy); }

std::int64_t displaced(int p) {
    std::int64_t n = 0;
    for (int r = 0; r < p; ++r) n += static_cast<int>(nu(r, p)) != r;
    return n;
}

SchedulePtr scatter_allgather(int p, int root) {
    const bool contiguous = power_of_two(p);
    const auto tree = std::make_shared<const Tree>(doubling_tree(p));
    const auto below = [tree, contiguous, p](int r) {
        // p a power of two: the subtree of a rank reached in step i shares the top i + 1 bits of nu (Sec. 3.2.3).
        return contiguous ? sharing_top_bits(r, tree->when[r] + 1, p) : BlockSet::of(tree->subtree(r));
    };
    const auto both = sequence({tree_walk(tree, below), skipping(allgather(p, Order::doubling, contiguous), below)});
    return rotated(both, p, root, false);
}

}  // namespace hopbine::bine
