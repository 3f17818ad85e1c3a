#include "families/hierarchy/node_channels.hpp"

#include <algorithm>

#include "families/tree/pipelined_trees.hpp"

namespace hopbine::hierarchy {

namespace {

/// The nodes; one for all ranks where no placement is known.
Units nodes_of(const Problem& q) {
    return Units(q.placement ? q.placement->node
                             : std::vector<int>(static_cast<std::size_t>(q.p), 0));
}

int largest(const Units& nodes) {
    int out = 0;
    for (int u = 0; u < nodes.count(); ++u) out = std::max(out, nodes.size(u));
    return out;
}

}  // namespace

int node_channels(const Problem& q) {
    return static_cast<int>(
        std::min<std::int64_t>(q.get(channels_of_nodes.name), largest(nodes_of(q))));
}

std::vector<int> node_by_node(const Problem& q, int c, int all) {
    const Units nodes = nodes_of(q);
    std::vector<int> out;
    for (int u = 0; u < nodes.count(); ++u) {
        const auto members = nodes.members(u);
        for (int i = 0, n = nodes.size(u); i < n; ++i)
            out.push_back(members[static_cast<std::size_t>((c * n / all + i) % n)]);
    }
    return out;
}

Tree chains_below_trees(const Problem& q, bool other) {
    const Units nodes = nodes_of(q);
    const Tree top = other ? other_binary_tree(nodes.count()) : binary_tree(nodes.count());
    std::vector<int> first;  // position of the first rank of every node
    for (int u = 0, at = 0; u < nodes.count(); at += nodes.size(u++)) first.push_back(at);
    std::vector<int> up, when;
    for (int u = 0; u < nodes.count(); ++u) {
        const int above = top.parent[static_cast<std::size_t>(u)];
        const int start = top.when[static_cast<std::size_t>(u)];
        for (int i = 0; i < nodes.size(u); ++i) {
            const int at = static_cast<int>(up.size());
            up.push_back(i > 0 ? at - 1 : above < 0 ? -1 : first[static_cast<std::size_t>(above)]);
            when.push_back(start + i);
        }
    }
    return Tree::of(chains_below_trees_steps(q), std::move(up), std::move(when));
}

int chains_below_trees_steps(const Problem& q) {
    const Units nodes = nodes_of(q);
    return binary_tree_steps(nodes.count()) + largest(nodes) - 1;
}

}  // namespace hopbine::hierarchy
