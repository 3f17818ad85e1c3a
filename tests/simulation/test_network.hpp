/// What the simulation's tests have in common: a network's speeds, a size, and ranks in order.
#pragma once
#include <numeric>
#include <vector>

#include "simulation/flows_known.hpp"

namespace hopbine::simulation {

inline constexpr Speeds kSpeeds{50e9, 100e-9, 300e-9};
inline constexpr double kKiB = 1 << 10, kMiB = 1 << 20;

/// Rank r on end point r.
inline std::vector<int> in_order(int ranks) {
    std::vector<int> at(static_cast<std::size_t>(ranks));
    std::iota(at.begin(), at.end(), 0);
    return at;
}

/// What the engines know, with messages even where no link is shared, so that trains are followed.
inline Known followed(const Program& p, const network::TopologyPtr& t, const std::vector<int>& at) {
    Known k = *Flows(p, t, at).known();
    for (int s = 0; s < p.steps_of_call(); ++s)
        if (!k.messages.contains(p.pattern(s))) k.messages.emplace(p.pattern(s), p.messages(s));
    return k;
}

}  // namespace hopbine::simulation
