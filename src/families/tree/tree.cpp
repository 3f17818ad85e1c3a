#include "families/tree/tree.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "combinators/combinators.hpp"
#include "schedule/integers.hpp"
#include "schedule/problem.hpp"

namespace hopbine {

namespace {

/// Indexes the children of every rank in step order, and the preorder in which subtrees are ranges.
void index(Tree& t, const std::vector<int>& by_step) {
    const auto p = static_cast<std::size_t>(t.p);
    t.first_child.assign(p + 1, 0);
    for (int v = 1; v < t.p; ++v) ++t.first_child[t.parent[v] + 1];
    for (std::size_t v = 0; v < p; ++v) t.first_child[v + 1] += t.first_child[v];
    t.children.resize(p - 1);
    std::vector<int> fill(t.first_child.begin(), t.first_child.end() - 1);
    for (int v : by_step)
        if (v != 0) t.children[fill[t.parent[v]]++] = v;

    std::vector<int> size(p, 1);
    for (auto v = by_step.rbegin(); v != by_step.rend(); ++v)
        if (*v != 0) size[t.parent[*v]] += size[*v];
    t.order.resize(p);
    t.first.assign(p, 0);
    t.last.assign(p, 0);
    for (int v : by_step) {  // parents come before their children
        t.order[t.first[v]] = v;
        t.last[v] = t.first[v] + size[v];
        int next = t.first[v] + 1;
        for (int c = t.first_child[v]; c < t.first_child[v + 1]; ++c) {
            t.first[t.children[c]] = next;
            next += size[t.children[c]];
        }
    }
}

class TreeWalk : public Schedule {
public:
    TreeWalk(std::shared_ptr<const Tree> tree, std::function<BlockSet(int)> carried)
        : tree_(std::move(tree)), carried_(std::move(carried)) {}
    int steps() const override { return tree_->steps; }
    void moves(int v, int s, Step& out) const override {
        if (tree_->when[v] == s)
            out.push_back({Direction::recv, Op::copy, tree_->parent[v], carried_(v)});
        for (int c = tree_->first_child[v]; c < tree_->first_child[v + 1]; ++c) {
            const int child = tree_->children[c];
            if (tree_->when[child] == s)
                out.push_back({Direction::send, Op::copy, child, carried_(child)});
        }
    }

protected:
    bool count_all(int v, MoveSizes& out) const override {
        if (tree_->parent[v] >= 0)
            out.push_back({Direction::recv, Op::copy, tree_->parent[v], carried_(v).size()});
        for (int c = tree_->first_child[v]; c < tree_->first_child[v + 1]; ++c) {
            const int child = tree_->children[c];
            out.push_back({Direction::send, Op::copy, child, carried_(child).size()});
        }
        return true;
    }

private:
    std::shared_ptr<const Tree> tree_;
    std::function<BlockSet(int)> carried_;
};

}  // namespace

Tree Tree::grow(int p, int steps, const std::function<int(int, int, int)>& target) {
    Tree t;
    t.p = p;
    t.steps = steps;
    t.parent.assign(p, -1);
    t.when.assign(p, -1);
    t.depth.assign(p, 0);
    std::vector<int> reached = {0};
    reached.reserve(p);
    std::vector<char> has(p, 0);
    has[0] = 1;
    for (int s = 0; s < steps; ++s) {
        const std::size_t holders = reached.size();
        for (std::size_t i = 0; i < holders; ++i) {
            const int v = reached[i], w = target(v, t.depth[v], s);
            if (w < 0 || has[w]) continue;
            has[w] = 1;
            t.parent[w] = v;
            t.when[w] = s;
            t.depth[w] = t.depth[v] + 1;
            reached.push_back(w);
        }
    }
    if (static_cast<int>(reached.size()) != p)
        throw Error("the tree reaches only " + std::to_string(reached.size()) + " of " +
                    std::to_string(p) + " ranks");
    index(t, reached);
    return t;
}

std::vector<Block> Tree::subtree(int v) const {
    return {order.begin() + first[v], order.begin() + last[v]};
}

Tree Tree::of(int steps, std::vector<int> parent, std::vector<int> when) {
    Tree t;
    t.p = static_cast<int>(parent.size());
    t.steps = steps;
    t.parent = std::move(parent);
    t.when = std::move(when);
    t.depth.assign(t.parent.size(), 0);
    std::vector<int> by_step(t.parent.size());
    std::iota(by_step.begin(), by_step.end(), 0);
    std::stable_sort(by_step.begin(), by_step.end(),
                     [&](int v, int w) { return t.when[v] < t.when[w]; });
    for (int v : by_step) {
        if (v == 0) continue;
        if (t.parent[v] < 0)
            throw Error("the tree never reaches rank " + std::to_string(v) + " of " +
                        std::to_string(t.p));
        t.depth[v] = t.depth[t.parent[v]] + 1;
    }
    index(t, by_step);
    return t;
}

Tree Tree::with_leaf(Tree t) {
    t.parent.push_back(0);
    t.when.push_back(t.steps - 1);
    return of(t.steps, std::move(t.parent), std::move(t.when));
}

SchedulePtr tree_walk(std::shared_ptr<const Tree> tree, std::function<BlockSet(int)> carried) {
    return std::make_shared<TreeWalk>(std::move(tree), std::move(carried));
}

SchedulePtr tree_bcast(Tree tree, int root) {
    const int p = tree.p;
    return rotated(tree_walk(std::make_shared<const Tree>(std::move(tree)),
                             [p](int) { return BlockSet::range(0, p); }),
                   p, root, false);
}

SchedulePtr tree_scatter(Tree tree, int root) {
    const int p = tree.p;
    auto shared = std::make_shared<const Tree>(std::move(tree));
    return rotated(
        tree_walk(shared, [shared](int child) { return BlockSet::of(shared->subtree(child)); }), p,
        root, true);
}

int ceil_log(int k, int p) {
    int levels = 0;
    for (std::int64_t reached = 1; reached < p; reached *= k) ++levels;
    return levels;
}

Tree knomial(int p, int k) {
    const int S = ceil_log(k, p);
    std::vector<int> parent(static_cast<std::size_t>(p), -1), when = parent;
    for (int v = 1; v < p; ++v) {
        int place = 1, level = S - 1;
        for (; v / place % k == 0; place *= k) --level;
        parent[static_cast<std::size_t>(v)] = v - v / place % k * place;
        when[static_cast<std::size_t>(v)] = level;
    }
    return Tree::of(S, std::move(parent), std::move(when));
}

Tree binomial_halving(int p) { return knomial(p, 2); }

Tree binomial_doubling(int p) {
    return Tree::grow(p, ceil_log2(p), [=](int v, int, int s) {
        const int w = v + (1 << s);
        return w < p ? w : -1;
    });
}

}  // namespace hopbine
