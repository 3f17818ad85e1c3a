#include "families/torus/torus_tree.hpp"

#include "combinators/combinators.hpp"
#include "families/ports.hpp"
#include "families/torus/dimension_order.hpp"
#include "schedule/integers.hpp"

namespace hopbine::torus {

namespace {

using Make = std::function<SchedulePtr(const Lines& lines, int first)>;

/// Makes make(lines, first) for root 0 on every port, renumbered for q.root. The blocks of a bcast
/// or reduce are parts of the vector: the parts of a port are contiguous, and blocks are not
/// renumbered.
SchedulePtr from_root(const Problem& q, Ports kind, const Line& line, Collective c,
                      const Make& make) {
    const std::vector<int> order = seen_from(q.root, q.shape);
    return on_ports(
        q.shape, ports::parts(q), kind, line, mirrored(line), !spec(c).blocks_of_ranks(),
        [&](const Lines& lines, int first) { return relabelled(make(lines, first), c, order); });
}

Line walked(TreeOf tree) {
    return [tree](int n) { return hopbine::tree_bcast(tree(n), 0); };
}

}  // namespace

/// Ranks whose coordinates are the root's and `sign` times those of the virtual rank.
static std::vector<int> seen(int root, const Shape& shape, int sign) {
    const Coordinates at(shape);
    std::vector<int> order;
    for (int v = 0; v < ranks(shape); ++v) {
        int rank = v;
        for (std::size_t d = 0; d < shape.size(); ++d)
            rank = at.moved(rank, d, mod(at.of(root, d) + sign * at.of(v, d), shape[d]));
        order.push_back(rank);
    }
    return order;
}

std::vector<int> seen_from(int root, const Shape& shape) { return seen(root, shape, 1); }
std::vector<int> seen_back(int root, const Shape& shape) { return seen(root, shape, -1); }

Tree spread(const Shape& shape, const Lines& lines, int first) {
    const SchedulePtr all = whole_vectors(shape, lines, first);
    const int p = ranks(shape);
    std::vector<int> parent(static_cast<std::size_t>(p), -1), when = parent;
    Step now;
    for (int s = 0; s < all->steps(); ++s)
        for (int v = 0; v < p; ++v) {
            if (v != 0 && (when[v] < 0 || when[v] == s)) continue;
            now.clear();
            all->moves(v, s, now);
            for (const Move& m : now) {
                if (m.direction != Direction::send || m.peer == 0 || when[m.peer] >= 0) continue;
                parent[m.peer] = v;
                when[m.peer] = s;
            }
        }
    return Tree::of(all->steps(), std::move(parent), std::move(when));
}

SchedulePtr tree_bcast(const Problem& q, Ports kind, TreeOf tree) {
    return from_root(q, kind, walked(tree), Collective::bcast, [&](const Lines& lines, int first) {
        return hopbine::tree_bcast(spread(q.shape, lines, first), 0);
    });
}

SchedulePtr tree_scatter(const Problem& q, Ports kind, TreeOf tree) {
    return from_root(q, kind, walked(tree), Collective::scatter,
                     [&](const Lines& lines, int first) {
                         return hopbine::tree_scatter(spread(q.shape, lines, first), 0);
                     });
}

std::int64_t hops(const Problem& q, TreeOf tree) {
    std::int64_t all = 0;
    for (int n : q.shape) {
        const Tree line = tree(n);
        all += std::accumulate(line.depth.begin(), line.depth.end(), std::int64_t{0}) * (q.p / n);
    }
    return all * ports::parts(q);
}

namespace {

/// A reduce_scatter from `first` on, and the scatter down its tree.
struct BothHalves {
    SchedulePtr reduce_scatter, scatter;
    std::function<BlockSet(int rank)> below;  ///< the blocks of the subtree of a rank
};

BothHalves both_halves(const Shape& shape, const Lines& lines, int first) {
    const auto tree = std::make_shared<const Tree>(spread(shape, lines, first));
    // Numbers blocks so that a subtree is one run, where possible. App. D.2 permutes them in
    // advance.
    const std::optional<Windows> runs = windows(shape, lines, first);
    const auto below = [tree, positions = runs ? runs->positions : std::vector<Block>{}](int v) {
        std::vector<Block> blocks = tree->subtree(v);
        if (!positions.empty())
            for (Block& b : blocks) b = positions[static_cast<std::size_t>(b)];
        return BlockSet::of(std::move(blocks));
    };
    return {runs ? runs->schedule : reduce_scatter(shape, lines, Turns::step_by_step, first),
            tree_walk(tree, below), below};
}

}  // namespace

SchedulePtr scatter_allgather(const Problem& q, Ports kind, const Line& line, bool blocks) {
    return from_root(q, kind, line, Collective::bcast, [&](const Lines& lines, int first) {
        const BothHalves h = both_halves(q.shape, lines, first);
        return sequence({blocks ? block_by_block(h.scatter) : h.scatter,
                         skipping(reversed(h.reduce_scatter, Op::copy), h.below)});
    });
}

SchedulePtr reduce_scatter_gather(const Problem& q, Ports kind, const Line& line) {
    return from_root(q, kind, line, Collective::reduce, [&](const Lines& lines, int first) {
        const BothHalves h = both_halves(q.shape, lines, first);
        return sequence({h.reduce_scatter, reversed(h.scatter, Op::copy)});
    });
}

Claim reduce_scatter_gather_claim(const Problem& q, int steps, Ports kind, const Line& line) {
    std::int64_t gathered = 0;
    from_root(q, kind, line, Collective::reduce, [&](const Lines& lines, int first) {
        const Tree tree = spread(q.shape, lines, first);
        gathered = std::accumulate(tree.depth.begin(), tree.depth.end(), gathered);
        return hopbine::tree_bcast(tree, 0);  // not used
    });
    return {2 * steps, std::int64_t{q.p} * (q.p - 1) * ports::parts(q) + gathered};
}

}  // namespace hopbine::torus
