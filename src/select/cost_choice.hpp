/// The choice by counting: a candidate that is fast on its links and spares those between groups.
#pragma once
#include <string>
#include <vector>

#include "select/link_costs.hpp"
#include "select/loads.hpp"

namespace hopbine::select {

/// Modelled seconds of a schedule with these loads on a vector of `bytes` in p blocks. Each step
/// adds:
/// - the latency of its farthest message;
/// - the overhead of the further messages of a rank;
/// - the time of the rank, node or group with the largest load. A job has the fraction of a group's
///   links that its nodes are of the group's.
double modelled_seconds(const Loads& loads, const LinkCosts& net, const LocatedRanks& located,
                        double bytes);

/// The choice for calls of one size.
struct CostChoice {
    int candidate = -1;  ///< -1: no candidate is fit
    double seconds = 0;  ///< modelled
};

/// Allowed slowdown for less volume between groups, since all jobs share these links. A candidate
/// may take a third longer than the fastest if it moves less over them, and twice as long if it
/// moves half of what that choice does.
inline constexpr double kPatience = 4.0 / 3, kPatienceForHalf = 2;
/// Size classes that the runtime chooses for (mpi/state/stats.hpp); the last has all larger calls.
inline constexpr int kSizeClasses = 41;

/// The choice for one size. `operands` is `exact` if the collective does not reduce.
CostChoice choose_by_cost(const std::vector<Candidate>& all, const std::vector<Loads>& loads,
                          const LinkCosts& net, const LocatedRanks& located, double bytes,
                          Operands operands);

/// Volume of a candidate on the scarcest links, for vectors of n bytes. Such as "counted: 5.62 n
/// between 3 groups (16 nodes)".
std::string reason(const Loads& loads, const LocatedRanks& located);

}  // namespace hopbine::select
