/// Routes that are not minimal: by way of a node drawn at random (Valiant).
#pragma once
#include <random>
#include <vector>

#include "network/topology.hpp"

namespace hopbine::simulation {

/// Draws detours on networks that have them: dragonflies and HyperX.
class Detours {
public:
    /// Throws Error for a network of another kind.
    explicit Detours(const network::Topology& t);
    /// Draws a detour: its hops to the node drawn, and those from there. On a dragonfly it is in a
    /// group that is neither of the two, and the detour does not enter the node itself. Returns
    /// false if there is none.
    bool draw(int from, int to, std::mt19937_64& random, std::vector<network::Hop>& there,
              std::vector<network::Hop>& on) const;

private:
    const network::Topology& t_;
    bool grouped_;
};

}  // namespace hopbine::simulation
