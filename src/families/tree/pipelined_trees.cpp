#include "families/tree/pipelined_trees.hpp"

#include "combinators/combinators.hpp"
#include "families/torus/torus.hpp"
#include "schedule/integers.hpp"

namespace hopbine {

namespace {

/// Parent of i in the in-order binary tree of 1..n below 0. A node i at height h has the parent i -
/// 2^h with bit h + 1 set. If that exceeds n, its parent is i - 2^h, the next lower node of greater
/// height.
int parent(int i, int n) {
    const int bit = i & -i, up = (i ^ bit) | (bit << 1);
    return up <= n ? up : i ^ bit;
}

/// The in-order tree with rank v at `position(v)`, and rank 0 at 0; `rank` is the inverse.
template <class Position, class Rank>
Tree in_order(int p, Position&& position, Rank&& rank) {
    std::vector<int> up(static_cast<std::size_t>(p), -1), when = up;
    for (int v = 1; v < p; ++v) {
        int depth = 0;
        for (int at = position(v); at != 0; at = parent(at, p - 1)) ++depth;
        const int above = parent(position(v), p - 1);
        up[static_cast<std::size_t>(v)] = above == 0 ? 0 : rank(above);
        when[static_cast<std::size_t>(v)] = depth - 1;
    }
    return Tree::of(binary_tree_steps(p), std::move(up), std::move(when));
}

SchedulePtr whole_vectors(Tree tree) { return tree_bcast(std::move(tree), 0); }

}  // namespace

Tree chain(int p) {
    std::vector<int> up(static_cast<std::size_t>(p)), when(up.size());
    for (int v = 0; v < p; ++v) {
        up[static_cast<std::size_t>(v)] = v - 1;
        when[static_cast<std::size_t>(v)] = v - 1;
    }
    return Tree::of(p - 1, std::move(up), std::move(when));
}

int binary_tree_steps(int p) { return p == 1 ? 0 : floor_log2(p - 1) + 1; }

Tree binary_tree(int p) {
    return in_order(p, [](int v) { return v; }, [](int at) { return at; });
}

Tree other_binary_tree(int p) {
    const int n = p - 1;
    if (n % 2 == 0)
        return in_order(p, [n](int v) { return n + 1 - v; }, [n](int at) { return n + 1 - at; });
    return in_order(
        p, [n](int v) { return v % n + 1; }, [n](int at) { return at == 1 ? n : at - 1; });
}

namespace {

/// A level of a k-ary tree: its first rank and its number of ranks.
struct Level {
    int number = 0;
    std::int64_t first = 0, ranks = 1;
    /// The level of rank v.
    static Level of(int v, int k) {
        Level out;
        for (; v >= out.first + out.ranks; out.ranks *= k, ++out.number) out.first += out.ranks;
        return out;
    }
};

}  // namespace

int kary_steps(int p, int k) { return Level::of(p - 1, k).number; }

Tree kary(int p, int k) {
    std::vector<int> up(static_cast<std::size_t>(p), -1), when = up;
    for (int v = 1; v < p; ++v) {
        const Level at = Level::of(v, k);
        const std::int64_t above = at.ranks / k;
        up[static_cast<std::size_t>(v)] =
            static_cast<int>(at.first - above + (v - at.first) % above);
        when[static_cast<std::size_t>(v)] = at.number - 1;
    }
    return Tree::of(kary_steps(p, k), std::move(up), std::move(when));
}

int chains_steps(int p, int n) { return ceil_div(p - 1, n); }

Tree chains(int p, int n) {
    std::vector<int> up(static_cast<std::size_t>(p), -1), when = up;
    const int shorter = (p - 1) / n, longer = (p - 1) % n;
    int v = 1;
    for (int i = 0; i < n && v < p; ++i)
        for (int place = 0; place < shorter + (i < longer); ++place, ++v) {
            up[static_cast<std::size_t>(v)] = place == 0 ? 0 : v - 1;
            when[static_cast<std::size_t>(v)] = place;
        }
    return Tree::of(chains_steps(p, n), std::move(up), std::move(when));
}

int preorder_tree_steps(int p) { return floor_log2(p); }

Tree preorder_tree(int p) {
    std::vector<int> up(static_cast<std::size_t>(p), -1), when = up, last = up;
    last[0] = p;
    for (int v = 0; v < p; ++v) {
        const int end = last[static_cast<std::size_t>(v)], second = v + 1 + (end - v) / 2;
        for (const int child : {v + 1, second}) {
            if (child >= end) continue;
            up[static_cast<std::size_t>(child)] = v;
            when[static_cast<std::size_t>(child)] = when[static_cast<std::size_t>(v)] + 1;
            last[static_cast<std::size_t>(child)] = child == second ? end : second;
        }
    }
    return Tree::of(preorder_tree_steps(p), std::move(up), std::move(when));
}

SchedulePtr two_trees_bcast(int p) {
    return torus::at_once({torus::on_channel(whole_vectors(binary_tree(p)), p, 0, 2, true),
                           torus::on_channel(whole_vectors(other_binary_tree(p)), p, 1, 2, true)});
}

}  // namespace hopbine
