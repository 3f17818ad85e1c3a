/// Plans neighbourhood collectives: messages of a node to another node are joined where that pays.
///
/// The messages of a joined pair of nodes take three steps (Collom, Li and Bienz, EuroMPI 2023): to
/// the rank that leads the pair in the node, to the leader in the other node, to the destinations.
/// All other messages are direct and are under way from the first step to the end.
#pragma once
#include <functional>
#include <span>

#include "runtime/neighbors.hpp"
#include "runtime/plan.hpp"
#include "schedule/placement.hpp"

namespace hopbine::mpi {

/// Direct messages of the ranks of one node to those of another.
struct PairCount {
    int messages, sources, destinations;
};
/// Whether to join the messages of a pair. Both nodes ask it with equal counts.
using Joins = std::function<bool(const PairCount&)>;

/// What a rank sends or receives, whichever is more.
struct NeighborCount {
    std::int64_t direct = 0;   ///< messages to other nodes if none were joined
    std::int64_t between = 0;  ///< messages to other nodes
    std::int64_t hops = 0;     ///< messages to and from leaders in its node
    std::int64_t joined = 0;   ///< pairs of its node whose messages are joined
};

struct NeighborPlan {
    Plan plan;
    NeighborCount count;
};

/// Makes the plan of a rank, from what its node knows: no rank needs to know the whole graph.
/// `lists` has the neighbours of the node's ranks, in the order of `nodes`. In a plan of `same`
/// blocks the own block is block 0.
NeighborPlan make_neighbor_plan(int rank, const Units& nodes, std::span<const Neighbors> lists,
                                NeighborBlocks blocks, const Joins& joins);

}  // namespace hopbine::mpi
