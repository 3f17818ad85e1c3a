/// The step model: the longest latency of a step plus the time of its link with the largest load.
#pragma once
#include "simulation/network.hpp"

namespace hopbine::simulation {

/// Equivalent steps. Loads are in parts of the vector, on links of unit bandwidth.
struct StepLoad {
    int step;  ///< the first of these steps
    std::int64_t times;
    double cables, routers;  ///< of the longest route
    double load;             ///< largest load of a link
    int link;                ///< the link with the largest load; -1: no message leaves its node
    std::int64_t least;      ///< parts of the smallest message; 0: no message
    double hops;             ///< parts times links, summed over all messages
};

/// Loads of a program on a network. Counted once; every size and speed follows from them.
struct Loads {
    std::vector<StepLoad> steps;
    std::int64_t busiest_line = 0;  ///< largest number of parts that a line sends in all; a line is
                                    ///< a port if every port has a channel
};
Loads step_loads(const Program& p, const network::Topology& t, const std::vector<int>& at);
/// Seconds for a vector of `bytes`.
double step_time(const Loads& loads, const Program& p, const Speeds& s, double bytes);
/// Load of each link in steps [from, to), in parts on links of unit bandwidth.
std::vector<double> link_loads(const Program& p, const network::Topology& t,
                               const std::vector<int>& at, int from, int to);

/// Deficiencies against the optimum, on a network with `ports` per node (Swing Sec. 2.2, eq. 1).
struct Deficiencies {
    double latency;     ///< Lambda: steps over log2 p
    double bandwidth;   ///< Psi: largest number of bytes on a port, over n / D with D = ports / 2
    double congestion;  ///< Xi: bytes on the link with the largest load in each step, over the
                        ///< largest number of bytes on a port; 1 if no link is ever shared
};
Deficiencies deficiencies(const Loads& loads, const Program& p, int ports, bool shared);

}  // namespace hopbine::simulation
