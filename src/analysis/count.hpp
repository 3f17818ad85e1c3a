/// How much of a schedule crosses from one node, and from one group of nodes, to another.
#pragma once
#include <cstdint>
#include <vector>

#include "schedule/algorithm.hpp"

namespace hopbine {

/// Blocks and messages.
struct Volume {
    std::int64_t blocks = 0, messages = 0;
    void add(std::int64_t b, std::int64_t m) { blocks += b, messages += m; }
};

/// What goes from one group to another over the whole schedule.
struct Pair {
    int from, to;
    Volume sent;
};

/// One step, standing for `times` steps that are alike.
struct StepTraffic {
    int step;
    std::int64_t times;
    Volume global;
    std::int64_t worst_uplink = 0,
                 worst_pair = 0;  ///< blocks out of or into one group; from one group to another
};

struct Traffic {
    int steps = 0, groups = 0, nodes = 0, parts = 1;  ///< volumes are in blocks / parts
    Volume inside, local,
        global;  ///< inside a node; between nodes of a group; between groups. Each message once
    std::vector<Volume> group_out,
        group_in;  ///< over global links, by group in the order of first appearance
    std::vector<Volume> node_out, node_in;  ///< between nodes, global links included
    std::vector<Pair>
        pairs;  ///< those that are not zero, by from, then to; none when `pairs_kept` is false
    bool pairs_kept = true;  ///< false with more than kMostPairedGroups groups
    std::vector<StepTraffic> by_step;
};

inline constexpr int kMostPairedGroups = 2048;

/// Counts step by step, never holding a whole schedule. `place` tells where schedule rank v is; the
/// problem's own placement is what the algorithm knows. Throws Error when place has not p entries.
Traffic count(const Algorithm& a, const Problem& given, const Placement& place);

/// Blocks that must cross between groups in any algorithm that keeps no copies: every group's part
/// of a sum leaves it once, every result enters every group once. Allreduce: for a reduce_scatter
/// and an allgather.
std::int64_t lower_bound(const Problem& q, const Placement& place);

}  // namespace hopbine
