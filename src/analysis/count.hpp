/// Traffic of a schedule between nodes, and between groups of nodes.
#pragma once
#include <cstdint>
#include <vector>

#include "schedule/algorithm.hpp"

namespace hopbine {

/// Number of blocks and messages.
struct Volume {
    std::int64_t blocks = 0, messages = 0;
    void add(std::int64_t b, std::int64_t m) { blocks += b, messages += m; }
};

/// Volume from one group to another over the whole schedule.
struct Pair {
    int from, to;
    Volume sent;
};

/// Traffic of one step, which stands for `times` equivalent steps.
struct StepTraffic {
    int step;
    std::int64_t times;
    Volume global;
    std::int64_t worst_uplink = 0,
                 worst_pair =
                     0;  ///< most blocks out of or into one group; from one group to another
};

struct Traffic {
    int steps = 0, groups = 0, nodes = 0, parts = 1;  ///< volumes are in blocks / parts
    Volume inside, local,
        global;  ///< inside nodes; between nodes of a group; between groups; each message counts
                 ///< once
    std::vector<Volume> group_out,
        group_in;  ///< between groups, by group in the order of first appearance
    std::vector<Volume> node_out, node_in;  ///< between nodes, including between groups
    std::vector<Pair> pairs;  ///< nonzero pairs, by from, then to; none if `pairs_kept` is false
    bool pairs_kept = true;   ///< false for more than kMostPairedGroups groups
    std::vector<StepTraffic> by_step;
};

inline constexpr int kMostPairedGroups = 2048;

/// Counts the traffic step by step, without storing the whole schedule. `place` is the placement of
/// schedule ranks; the problem's own placement is the one that the algorithm follows. Throws Error
/// unless `place` has p entries.
Traffic count(const Algorithm& a, const Problem& given, const Placement& place);

/// Least number of blocks between groups for any algorithm that keeps no copies. Every group's part
/// of a sum leaves it once, and every result enters every group once. For allreduce the least of a
/// reduce_scatter and an allgather.
std::int64_t lower_bound(const Problem& q, const Placement& place);

}  // namespace hopbine
