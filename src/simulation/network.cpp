#include "simulation/network.hpp"

namespace hopbine::simulation {

void validate(const network::Topology& t, const std::vector<int>& at, int ranks) {
    if (static_cast<int>(at.size()) != ranks)
        throw Error("nodes are given for " + std::to_string(at.size()) + " ranks, there are " +
                    std::to_string(ranks));
    for (int node : at)
        if (node < 0 || node >= t.nodes())
            throw Error("node " + std::to_string(node) + " is outside 0.." +
                        std::to_string(t.nodes() - 1) + " of " + t.name());
}

}  // namespace hopbine::simulation
