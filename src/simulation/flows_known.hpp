/// What the flow engine knows of a program on a network before it is told a size.
#pragma once
#include <map>

#include "simulation/flows.hpp"
#include "simulation/steps.hpp"

namespace hopbine::simulation {

/// A message that shares no link with any other at any time.
struct Alone {
    int from, to;  ///< lines
    std::int64_t parts;
    double capacity;  ///< of its narrowest link, in link bandwidths; 0: it leaves no node
    double cables, routers;
};

struct Flows::Known {
    Program program;
    network::TopologyPtr topology;
    std::vector<int> at;
    Loads loads;
    bool shared = false;
    std::map<int, std::vector<Alone>> alone;  ///< by pattern, when nothing is shared
    std::map<int, Messages> messages;         ///< by pattern, when something is
};

/// Nothing is shared: times follow step by step, whatever the size.
Outcome run_alone(const Program& p, const std::map<int, std::vector<Alone>>& alone, double bytes,
                  const Speeds& s, int watched);
/// Links are shared: messages are followed from event to event.
Outcome run_shared(const Program& p, const std::map<int, Messages>& messages,
                   const network::Topology& t, const std::vector<int>& at, double bytes,
                   const Speeds& s, int watched, double window);

}  // namespace hopbine::simulation
