/// A topology with ranks on it and speeds: what both engines route over.
#pragma once
#include <string>
#include <vector>

#include "network/topology.hpp"
#include "simulation/program.hpp"

namespace hopbine::simulation {

/// Seconds and bytes per second.
struct Speeds {
    double bandwidth;  ///< of a link, each way
    double cable;      ///< latency of a cable
    double router;     ///< of a router: what it takes to process a packet
    double latency(const network::Route& r) const { return r.cables * cable + r.routers * router; }
};

/// Where ranks are: node at[r] for rank r. Throws Error when a node does not exist or there is not
/// one for each of `ranks`.
void validate(const network::Topology& t, const std::vector<int>& at, int ranks);

}  // namespace hopbine::simulation
