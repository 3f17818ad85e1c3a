/// What no algorithm can beat: lower bounds of a collective on the links of a job, in the terms of
/// the model of the choice.
#pragma once
#include "schedule/problem.hpp"
#include "select/link_costs.hpp"
#include "select/loads.hpp"

namespace hopbine::select {

/// Least number of blocks out of, or into, a set of `size` ranks, whichever is more. `with_root`:
/// the root is one of them. Each block that is there before and wanted elsewhere after leaves once.
std::int64_t least_blocks(Collective c, std::int64_t p, std::int64_t size, bool with_root);

/// Lower bound of modelled_seconds, for algorithms that keep no copies.
struct LowerBound {
    double latency;       ///< seconds of the rounds in which a datum of one rank can reach all
    double bytes;         ///< seconds of the busiest rank, node or group, or of reductions
    const char* busiest;  ///< "ranks", "nodes" or "groups"
    double seconds() const { return latency + bytes; }
    /// What takes most of it: "latency", or as `busiest`.
    const char* limit() const { return latency > bytes ? "latency" : busiest; }
};
LowerBound lower_bound(Collective c, int root, const LocatedRanks& located, const LinkCosts& net,
                       double bytes);

}  // namespace hopbine::select
