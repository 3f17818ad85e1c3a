/// Channels of nodes with several network cards, as NCCL has them: each passes the ranks of a node
/// in another order, so that it enters and leaves through other cards.
#pragma once
#include <vector>

#include "families/tree/tree.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::hierarchy {

/// The parameter of algorithms with a channel for each card: Kind::radix, at most the ranks of the
/// largest node.
inline constexpr Parameter channels_of_nodes{
    "channels", Kind::radix,
    1,          4,
    4,          "rings, or pairs of trees, that begin at different ranks of every node"};

/// Channels for a problem: the parameter, or the ranks of the largest node if these are fewer.
int node_channels(const Problem& q);

/// All ranks, node by node. Channel c of `all` begins a node c / all of its ranks further.
std::vector<int> node_by_node(const Problem& q, int c, int all);

/// The parent of every position of node_by_node: chains inside nodes, below a binary tree of their
/// first ranks. `other`: the second of the two edge-disjoint binary trees.
Tree chains_below_trees(const Problem& q, bool other);
/// Its steps.
int chains_below_trees_steps(const Problem& q);

}  // namespace hopbine::hierarchy
