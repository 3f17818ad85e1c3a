/// The choice by counting: which candidate is fast on the links that it loads, and spares those
/// between groups.
#pragma once
#include <string>
#include <vector>

#include "select/link_costs.hpp"
#include "select/loads.hpp"

namespace hopbine::select {

/// Seconds that a schedule with these loads takes on a vector of `bytes` in p blocks: per step the
/// latency of its farthest message, the overhead of the others of a rank, and the bytes of the
/// busiest of all ranks, nodes and groups. Of a group's links a job has the part that its nodes are
/// of the group's. Infinite: a pipeline that the size is too small for.
double modelled_seconds(const Loads& loads, const LinkCosts& net, const LocatedRanks& located,
                        double bytes);

/// What was chosen for calls of one size.
struct CostChoice {
    int candidate = -1;  ///< -1: none is fit
    double seconds = 0;  ///< modelled
};

/// The links between groups are everybody's: a candidate may take a third longer than the fastest
/// when it moves less over them, and twice as long when it moves half of what that choice does.
inline constexpr double kPatience = 4.0 / 3, kPatienceForHalf = 2;
/// Classes of sizes that the runtime chooses for (mpi/stats.hpp); larger calls are of the last one.
inline constexpr int kSizeClasses = 41;

/// The choice for one size; `operands`: exact when the collective does not reduce.
CostChoice choose_by_cost(const std::vector<Candidate>& all, const std::vector<Loads>& loads,
                          const LinkCosts& net, const LocatedRanks& located, double bytes,
                          Operands operands);

/// "counted: 5.62 n between 3 groups (16 nodes)": what a candidate moves over the scarcest links in
/// vectors of n bytes.
std::string reason(const Loads& loads, const LocatedRanks& located);

}  // namespace hopbine::select
