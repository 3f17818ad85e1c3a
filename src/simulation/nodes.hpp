/// The node model: alltoallv with blocks of given sizes on nodes of several ranks, step by step.
#pragma once
#include <compare>
#include <cstdint>
#include <vector>

#include "bench/distribution.h"
#include "schedule/algorithm.hpp"

namespace hopbine::simulation {

/// Messages of one rank, or of one node, in one direction and one step.
struct MessageCounts {
    std::int64_t bare = 0;  ///< messages of one block from its origin to its destination; without a
                            ///< header, and not sent if the block is empty
    std::int64_t packed = 0;   ///< all other messages
    std::int64_t blocks = 0;   ///< blocks in packed messages
    std::int64_t longest = 0;  ///< blocks in the longest packed message
    MessageCounts& operator+=(const MessageCounts& m);
    auto operator<=>(const MessageCounts&) const = default;
};

/// Load of a rank in a step, with that of its node.
struct RankLoad {
    MessageCounts sent_inside, received_inside, sent_between, received_between;
    MessageCounts node_sent, node_received;  ///< of all ranks of the node, to and from other nodes
    auto operator<=>(const RankLoad&) const = default;
};

/// Steps in which ranks have the same loads. The assignment of loads to ranks does not affect the
/// time: every load is listed once, in ascending order.
struct EqualSteps {
    std::vector<RankLoad> loads;
    std::int64_t times;
};

/// Loads of all steps on ranks and nodes.
struct NodeLoads {
    std::vector<EqualSteps> steps;  ///< in the order of first appearance
    std::vector<EqualSteps>
        agreement;  ///< steps of the allreduce that finds the largest block, for padded blocks
    Wire wire = Wire::packed;
    std::int64_t ranks = 0;
};

/// Extent of the walk through a schedule. Either representatives of all ranks, where the schedule
/// has symmetry (Traits::period, mirrored), or every rank.
enum class Walked { what_differs, everything };
/// Counts an alltoallv on `nodes` nodes of `per_node` consecutive ranks each. Throws Error as
/// `resolve` does, and if q.p is not their product or either is below 1.
NodeLoads node_loads(const Algorithm& a, Problem q, int nodes, int per_node,
                     Walked walked = Walked::what_differs);

/// Sizes of blocks in bytes, as far as the model needs them. Every block in a packed message counts
/// as the mean.
struct BlockSizes {
    double mean;
    double empty;    ///< fraction of empty blocks
    double largest;  ///< median of the largest block of all ranks
    bool again;  ///< whether sizes are those of the last call, so that headers do not repeat them
};
BlockSizes block_sizes(const distribution& d, std::int64_t ranks, bool again);

/// Seconds and bytes per second.
struct NodeSpeeds {
    double latency_inside, latency_between;  ///< of a message: start-up and transit
    double overhead;  ///< of every further message of a rank in the step, whose start-ups are
                      ///< sequential
    double rank;      ///< bandwidth of a rank's messages inside its node
    double node;  ///< bandwidth of a node into the network in each direction, shared by its ranks
    double block,
        copy;  ///< packing or unpacking of a block: seconds per block, and bytes per second
};

/// Seconds, of the slowest rank in every step.
struct NodeTime {
    double latency = 0, overhead = 0, inside = 0, between = 0, packing = 0;
    double seconds() const { return latency + overhead + inside + between + packing; }
    NodeTime& operator+=(const NodeTime& t);
};

/// Time of the steps inside nodes, and of all other steps.
struct NodeTimes {
    NodeTime inside, between;
    double seconds() const { return inside.seconds() + between.seconds(); }
};
NodeTimes node_time(const NodeLoads& loads, const BlockSizes& sizes, const NodeSpeeds& speeds);

}  // namespace hopbine::simulation
