/// What the flow and packet engines know of a program on a network, whatever the size.
#pragma once
#include <map>

#include "simulation/flows.hpp"
#include "simulation/packets.hpp"
#include "simulation/steps.hpp"

namespace hopbine::simulation {

/// A message that never shares a link.
struct Alone {
    int from, to;  ///< lines
    std::int64_t parts;
    double capacity;  ///< of its narrowest link, in link bandwidths; 0: it stays on its node
    double cables, routers;
};

struct Known {
    Program program;
    network::TopologyPtr topology;
    std::vector<int> at;
    Loads loads;
    bool shared = false;                      ///< two messages may be on a link at the same time
    bool split = false;                       ///< a message uses several cables at once
    std::map<int, std::vector<Alone>> alone;  ///< by pattern, if no link is shared
    std::map<int, Messages> messages;  ///< by pattern, if a link is shared or a message split
    /// Whether trains never queue: they pass as the flow does.
    bool alone_suffices() const { return !shared && !split; }
};

/// Simulation without shared links: times follow step by step, for any size.
Outcome run_alone(const Program& p, const std::map<int, std::vector<Alone>>& alone, double bytes,
                  const Speeds& s, int watched);
/// Simulation with shared links: messages are followed from event to event.
Outcome run_shared(const Program& p, const std::map<int, Messages>& messages,
                   const network::Topology& t, const std::vector<int>& at, double bytes,
                   const Speeds& s, int watched, double window);

/// Simulation by packets: trains are followed from link to link.
PacketOutcome run_packets(const Known& k, const Hosts& hosts, double bytes, const Speeds& s,
                          const PacketOptions& o);
/// Whether ranks have processors and cards of their own in the simulation.
bool hosted(const Hosts& hosts, const PacketOptions& o);
/// Ticks in a second: 10^12, or fewer if everything one after the other would not fit in 2^61.
double tick_rate(const Known& k, double bytes, const Speeds& s, const PacketOptions& o);
/// Whether buffers have an end.
bool finite(const PacketOptions& o);
/// Number of trains of a message. Throws Error if it is more than kMostTrains.
int train_count(double bytes, const PacketOptions& o);

}  // namespace hopbine::simulation
