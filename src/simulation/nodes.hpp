/// The node model: an alltoallv with blocks of given sizes on nodes of several ranks, step by step.
#pragma once
#include <compare>
#include <cstdint>
#include <vector>

#include "bench/distribution.h"
#include "schedule/algorithm.hpp"

namespace hopbine::simulation {

/// Messages of one rank, or of one node, one way in one step.
struct MessageCounts {
    std::int64_t bare = 0;     ///< of one block between its origin and its destination: it has no
                               ///< header, and is not sent when the block is empty
    std::int64_t packed = 0;   ///< all others
    std::int64_t blocks = 0;   ///< in them
    std::int64_t longest = 0;  ///< blocks in the longest of them
    MessageCounts& operator+=(const MessageCounts& m);
    auto operator<=>(const MessageCounts&) const = default;
};

/// What a rank does in a step, and its node with it.
struct RankLoad {
    MessageCounts sent_inside, received_inside, sent_between, received_between;
    MessageCounts node_sent, node_received;  ///< by all ranks of the node, to and from other nodes
    auto operator<=>(const RankLoad&) const = default;
};

/// Steps in which ranks have the same loads. Which rank has which does not matter to the time:
/// every load is there once, in ascending order.
struct LikeSteps {
    std::vector<RankLoad> loads;
    std::int64_t times;
};

/// What all steps put on ranks and nodes.
struct NodeLoads {
    std::vector<LikeSteps> steps;      ///< in the order of their first
    std::vector<LikeSteps> agreement;  ///< the same of the allreduce that finds the largest block,
                                       ///< where blocks are padded
    Wire wire = Wire::packed;
    std::int64_t ranks = 0;
};

/// How much of a schedule is walked: ranks that stand for all others, where the schedule says that
/// there are such (Traits::period, mirrored), or every one.
enum class Walked { what_differs, everything };
/// Counts an alltoallv on `nodes` nodes of `per_node` consecutive ranks each. Throws Error as
/// `resolve` does, or when q.p is not their product or they are below 1.
NodeLoads node_loads(const Algorithm& a, Problem q, int nodes, int per_node,
                     Walked walked = Walked::what_differs);

/// What the model needs to know of blocks, in bytes: every block that is not alone in its message
/// counts as the mean.
struct BlockSizes {
    double mean;
    double empty;    ///< share of blocks of no bytes
    double largest;  ///< of all blocks of all ranks: as likely exceeded as not
    bool again;      ///< sizes are those of the last call: headers do not repeat them
};
BlockSizes block_sizes(const distribution& d, std::int64_t ranks, bool again);

/// Seconds and bytes per second.
struct NodeSpeeds {
    double latency_inside, latency_between;  ///< of a message: its start-up, and its way
    double overhead;  ///< of every further message of a rank in the step: start-ups come one after
                      ///< the other
    double rank;      ///< bandwidth of a rank's messages inside its node
    double node;      ///< bandwidth of a node into the network, shared by its ranks, each way
    double block, copy;  ///< to put a block into a message or take it out: for each block, and
                         ///< bytes per second
};

/// Seconds, of the rank that is the last in every step.
struct NodeTime {
    double latency = 0, overhead = 0, inside = 0, between = 0, packing = 0;
    double seconds() const { return latency + overhead + inside + between + packing; }
    NodeTime& operator+=(const NodeTime& t);
};

/// Steps that stay inside nodes, and the others.
struct NodeTimes {
    NodeTime inside, between;
    double seconds() const { return inside.seconds() + between.seconds(); }
};
NodeTimes node_time(const NodeLoads& loads, const BlockSizes& sizes, const NodeSpeeds& speeds);

}  // namespace hopbine::simulation
