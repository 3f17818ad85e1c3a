/// State of the flow engine for a program on a network that does not depend on the size.
#pragma once
#include <map>

#include "simulation/flows.hpp"
#include "simulation/steps.hpp"

namespace hopbine::simulation {

/// A message that never shares a link.
struct Alone {
    int from, to;  ///< lines
    std::int64_t parts;
    double capacity;  ///< of its narrowest link, in link bandwidths; 0: it stays on its node
    double cables, routers;
};

struct Flows::Known {
    Program program;
    network::TopologyPtr topology;
    std::vector<int> at;
    Loads loads;
    bool shared = false;
    std::map<int, std::vector<Alone>> alone;  ///< by pattern, if no link is shared
    std::map<int, Messages> messages;         ///< by pattern, if a link is shared
};

/// Simulation without shared links: times follow step by step, for any size.
Outcome run_alone(const Program& p, const std::map<int, std::vector<Alone>>& alone, double bytes,
                  const Speeds& s, int watched);
/// Simulation with shared links: messages are followed from event to event.
Outcome run_shared(const Program& p, const std::map<int, Messages>& messages,
                   const network::Topology& t, const std::vector<int>& at, double bytes,
                   const Speeds& s, int watched, double window);

}  // namespace hopbine::simulation
