/// Loads of a candidate on links, per pattern of steps. Each rank counts some nodes; sums and
/// maxima over all ranks are the loads of the whole schedule.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "schedule/coordinates.hpp"
#include "select/candidates.hpp"

namespace hopbine::select {

/// When the vector is copied between its order and that of the schedule (Traits::layout).
enum class Permutes { never, at_an_end, in_flight };

/// Loads of one candidate. Volumes and messages count for all steps of a pattern.
struct Loads {
    int patterns = 0;
    int parts = 1;                    ///< volumes are in parts of blocks
    int channels = 1;                 ///< that proceed independently (Traits::channels)
    std::vector<std::int64_t> times;  ///< [patterns] number of steps; equal on all ranks
    /// [patterns][2] volume out of and into the group of the nodes counted so far; summed over
    /// ranks. Zero where whole groups were counted: they are in `busiest_group`.
    std::vector<std::int64_t> group;
    /// [patterns][2] volume out of or into the group with the largest one per node, and the number
    /// of its nodes.
    std::vector<std::int64_t> busiest_group;
    /// [patterns][kPeaks], maximum over ranks:
    /// - volume out of or into a node, and out of or into a rank
    /// - messages that a rank sends or receives
    /// - farthest message (0 none, 1 inside a node, 2 inside a group, 3 between groups)
    /// - volume that a rank reduces
    /// - volume that a rank sends by one port of a torus
    /// - links of a torus that a message passes
    std::vector<std::int64_t> peaks;
    /// [patterns][directions of a torus] twice the volume on all links of a direction; summed over
    /// ranks.
    std::vector<std::int64_t> lines;
    /// [kTotals] volume between groups, and between nodes of a group; number of messages; summed
    /// over ranks.
    std::vector<std::int64_t> totals;
    /// A volume in blocks.
    double blocks(std::int64_t volume) const { return in_blocks(volume, parts); }
    /// A pipeline: the loads are those of one segment in one pattern, as of the whole vector.
    bool pipelined = false;
    std::int64_t segments = 0;  ///< of a pipeline; 0: those that are fastest by the model
    Permutes permutes = Permutes::never;
    /// [patterns][2] volume that the root, or rank 0, copies into and out of messages of several
    /// runs of blocks, and these runs. Counted on a torus, whose other ranks do alike.
    std::vector<std::int64_t> packed;
};

enum Peak {
    node_volume,
    rank_volume,
    rank_messages,
    farthest,
    reduced_volume,
    port_volume,
    links_passed,
    kPeaks
};
enum Total { global_volume, local_volume, all_messages, kTotals };

/// Most patterns of a schedule; with more, all steps count as one pattern.
inline constexpr int kMostPatterns = 64;

/// Placement of the ranks, with groups and nodes prepared for queries.
struct LocatedRanks {
    explicit LocatedRanks(const Placement& place, std::vector<int> shape = {})
        : placement(std::make_shared<const Placement>(place)),
          groups(place.group),
          nodes(place.node),
          nodes_of_groups(group_of_nodes()),
          torus(std::move(shape)) {}
    std::shared_ptr<const Placement> placement;
    Units groups, nodes;
    Units nodes_of_groups;  ///< its members are nodes, its units the groups
    /// The torus that the ranks fill, the last dimension fastest. No dimension: there is none.
    Coordinates torus;
    std::size_t dimensions() const { return torus.shape().size(); }

private:
    std::vector<int> group_of_nodes() const;
};

/// Loads caused by the ranks of all nodes. Throws Error.
Loads measure(const Candidate& c, const Numbering& numbering, int root,
              const LocatedRanks& located);
/// Loads caused by the ranks of some nodes: of whole groups, one after the other, or of a part of
/// one group. Throws Error.
Loads measure(const Candidate& c, const Numbering& numbering, int root, const LocatedRanks& located,
              std::span<const int> nodes);

/// Loads::packed of a schedule: what `rank` copies, with so many patterns counted. `pairs`: its
/// blocks belong to pairs of ranks.
std::vector<std::int64_t> packing(const Schedule& s, int rank, int patterns, bool pairs);

}  // namespace hopbine::select
