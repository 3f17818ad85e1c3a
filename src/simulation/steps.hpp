/// The step model: every step takes its longest latency and what its most loaded link carries.
#pragma once
#include "simulation/network.hpp"

namespace hopbine::simulation {

/// Steps that are alike. Loads are in parts of the vector, over links of one bandwidth.
struct StepLoad {
    int step;  ///< the first of them
    std::int64_t times;
    double cables, routers;  ///< of the longest way
    double load;             ///< of the most loaded link
    int link;                ///< that link; -1: nothing leaves a node
    std::int64_t least;      ///< parts of the smallest message; 0: there is none
    double hops;             ///< parts times links, summed over all messages
};

/// What a program puts on a network: counted once; every size and speed follows.
struct Loads {
    std::vector<StepLoad> steps;
    std::int64_t busiest_line =
        0;  ///< parts that the busiest line sends in all: a port, where there is a channel for each
};
Loads step_loads(const Program& p, const network::Topology& t, const std::vector<int>& at);
/// Seconds for a vector of `bytes`.
double step_time(const Loads& loads, const Program& p, const Speeds& s, double bytes);
/// What each link carries in steps [from, to), in parts over links of one bandwidth.
std::vector<double> link_loads(const Program& p, const network::Topology& t,
                               const std::vector<int>& at, int from, int to);

/// How much worse than optimal, counted on a network with `ports` per node (Swing Sec. 2.2, eq. 1).
struct Deficiencies {
    double latency;     ///< Lambda: steps over log2 p
    double bandwidth;   ///< Psi: bytes through the busiest port, over n / D with D = ports / 2
    double congestion;  ///< Xi: bytes over the most loaded link of each step, over those through
                        ///< the busiest port; 1 where no link is ever shared
};
Deficiencies deficiencies(const Loads& loads, const Program& p, int ports, bool shared);

}  // namespace hopbine::simulation
