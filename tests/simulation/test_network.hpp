/// What the simulation's tests have in common: a network's speeds, a size, and ranks in order.
#pragma once
#include <numeric>
#include <vector>

#include "simulation/network.hpp"

namespace hopbine::simulation {

inline constexpr Speeds kSpeeds{50e9, 100e-9, 300e-9};
inline constexpr double kMiB = 1 << 20;

/// Rank r on end point r.
inline std::vector<int> in_order(int ranks) {
    std::vector<int> at(static_cast<std::size_t>(ranks));
    std::iota(at.begin(), at.end(), 0);
    return at;
}

}  // namespace hopbine::simulation
