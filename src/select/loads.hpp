/// What a candidate puts on links, pattern by pattern, in numbers that ranks can add up: each
/// counts for some nodes, and the sums and maxima over all of them are the loads of the whole
/// schedule.
#pragma once
#include <cstdint>
#include <vector>

#include "select/candidates.hpp"

namespace hopbine::select {

/// Loads of one candidate. Volumes and messages count for all steps that are alike.
struct Loads {
    int patterns = 0;
    int parts = 1;                    ///< volumes are in parts of blocks
    std::vector<std::int64_t> times;  ///< [patterns] number of steps; equal on all ranks
    std::vector<std::int64_t>
        groups;  ///< [patterns][groups][2] volumes out of and into each group; to be summed
    /// [patterns][kPeaks] to be maximised: volumes out of or into a node; out of or into a rank;
    /// messages that a rank sends or receives; how far the farthest goes (0 nowhere, 1 inside a
    /// node, 2 inside a group, 3 between groups).
    std::vector<std::int64_t> peaks;
    /// [kTotals] volumes between groups, between nodes of a group; to be summed.
    std::vector<std::int64_t> totals;
    /// A volume in blocks. Candidates differ in parts, so that volumes only compare like this.
    double blocks(std::int64_t volume) const { return static_cast<double>(volume) / parts; }
    bool permutes = false;  ///< the vector is copied into another order and back
    /// A pipeline whose number of segments follows from the size: one pattern, with the loads of
    /// all steps of a vector in one segment.
    bool pipeline = false;
};

enum Peak { node_volume, rank_volume, rank_messages, farthest, kPeaks };
enum Total { global_volume, local_volume, kTotals };

/// Schedules with more kinds of steps are counted as one kind.
inline constexpr int kMostPatterns = 64;

/// Where ranks are, ready to be asked.
struct LocatedRanks {
    explicit LocatedRanks(const Placement& place)
        : placement(std::make_shared<const Placement>(place)),
          groups(place.group),
          nodes(place.node) {}
    std::shared_ptr<const Placement> placement;
    Units groups, nodes;
};

/// The part of the loads that the ranks of some nodes cause; all nodes give the loads of the
/// schedule. Throws Error.
Loads measure(const Candidate& c, const Numbering& numbering, int root, const LocatedRanks& located,
              const std::vector<int>& nodes);

}  // namespace hopbine::select
