/// A topology with ranks on its nodes and speeds, which both engines route over.
#pragma once
#include <string>
#include <vector>

#include "network/topology.hpp"
#include "simulation/program.hpp"

namespace hopbine::simulation {

/// Seconds and bytes per second.
struct Speeds {
    double bandwidth;  ///< of a link in each direction
    double cable;      ///< latency of a cable
    double router;     ///< time in which a router processes a packet
    double latency(const network::Route& r) const { return r.cables * cable + r.routers * router; }
};

/// Validates the placement, node at[r] for rank r. Throws Error unless every one of `ranks` has a
/// node that exists.
void validate(const network::Topology& t, const std::vector<int>& at, int ranks);

}  // namespace hopbine::simulation
