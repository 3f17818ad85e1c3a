/// Load of a schedule on every link of a torus or a hyperx, on minimal routes.
#pragma once
#include <cstdint>
#include <vector>

#include "schedule/algorithm.hpp"

namespace hopbine {

enum class Grid { torus, hyperx };

/// Loads in half blocks. On a torus two routes of equal length carry half a message each.
struct RouteTraffic {
    std::int64_t half_blocks_hops = 0;  ///< summed over links
    std::int64_t worst_half_blocks =
        0;  ///< of the link with the largest load; the two directions count separately
    std::int64_t links = 0;  ///< links with any load
    int parts = 1;           ///< loads are in halves of blocks / parts
    int worst_from = -1,
        worst_to =
            -1;  ///< nodes of that link, as indexes into the shape, last dimension varying fastest
};

/// Counts link loads of minimal dimension-order routes. Node at[v] of schedule rank v is an index
/// into `shape`, last dimension varying fastest. Throws Error if a node is outside the shape.
RouteTraffic count_routes(const Algorithm& a, const Problem& given, Grid grid,
                          const std::vector<int>& shape, const std::vector<int>& at);

}  // namespace hopbine
