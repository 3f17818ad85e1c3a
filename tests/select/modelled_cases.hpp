// Costs of links and placements of which a test can work the modelled time by hand.
#pragma once
#include <numeric>

#include "select/cost_choice.hpp"

namespace hopbine::select {

/// Costs of which none matters but those that a test sets.
inline LinkCosts free_links() {
    LinkCosts out;
    for (double LinkCosts::* rate :
         {&LinkCosts::node_bandwidth, &LinkCosts::rank_bandwidth, &LinkCosts::port_bandwidth,
          &LinkCosts::memory_bandwidth, &LinkCosts::reduce_bandwidth})
        out.*rate = 1e18;
    for (double LinkCosts::* time :
         {&LinkCosts::node_latency, &LinkCosts::local_latency, &LinkCosts::global_latency,
          &LinkCosts::overhead, &LinkCosts::rendezvous, &LinkCosts::hop_latency,
          &LinkCosts::port_overhead, &LinkCosts::pack})
        out.*time = 1e-18;
    return out;
}

/// One rank per node, one group.
inline LocatedRanks flat(int p, std::vector<int> torus = {}) {
    return LocatedRanks(one_rank_per_node(std::vector<int>(static_cast<std::size_t>(p))),
                        std::move(torus));
}

inline double seconds(const char* algorithm, const LocatedRanks& located, const LinkCosts& net,
                      double bytes, const Parameters& parameters = {},
                      Collective c = Collective::allreduce) {
    std::vector<int> nodes(static_cast<std::size_t>(located.nodes.count()));
    std::iota(nodes.begin(), nodes.end(), 0);
    const Loads loads = measure({&algorithm_named(c, algorithm), parameters, 0}, {"given", {}, {}},
                                0, located, nodes);
    return modelled_seconds(loads, net, located, bytes);
}

inline constexpr double kBytes = 1 << 20;

}  // namespace hopbine::select
