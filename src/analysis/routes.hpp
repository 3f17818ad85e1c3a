/// How much of a schedule every link of a torus or a hyperx carries, on minimal routes.
#pragma once
#include <cstdint>
#include <vector>

#include "schedule/algorithm.hpp"

namespace hopbine {

enum class Grid { torus, hyperx };

/// Loads in blocks. On a torus two ways of equal length carry half each, so loads are halves of
/// blocks.
struct RouteTraffic {
    std::int64_t half_blocks_hops = 0;   ///< summed over links
    std::int64_t worst_half_blocks = 0;  ///< of the busiest link, each way counted for itself
    std::int64_t links = 0;              ///< links that carry anything
    int parts = 1;                       ///< loads are in halves of blocks / parts
    int worst_from = -1,
        worst_to = -1;  ///< its nodes, as indexes into the shape, last dimension fastest
};

/// Dimension order, minimal. at[v] is the node of schedule rank v, an index into `shape` with the
/// last dimension fastest. Throws Error when a node is outside the shape.
RouteTraffic count_routes(const Algorithm& a, const Problem& given, Grid grid,
                          const std::vector<int>& shape, const std::vector<int>& at);

}  // namespace hopbine
