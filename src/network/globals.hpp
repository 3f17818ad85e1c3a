/// How groups of switches are cabled with each other: alike seen from each group, and spread evenly
/// over its switches. For src/network only.
#pragma once
#include <algorithm>
#include <cstdint>

#include "schedule/integers.hpp"

namespace hopbine::network {

/// Cable j between a group and the one `ahead` further on (mod groups) is number (ahead - 1) * each
/// + j of its group; number i is at switch i mod switches. Seen from the other group it is cable j
/// to the one groups - ahead further on, so that both agree on it.
struct Globals {
    int groups, switches;  ///< `switches`: those of each group that have global cables
    std::int64_t each;     ///< cables between each two groups
    /// Pairs of switches that the cables between two groups join: cables j, j + switches, ... run
    /// in parallel and are one link.
    int bundles() const { return static_cast<int>(std::min<std::int64_t>(each, switches)); }
    int cables(int j) const { return static_cast<int>(ceil_div(each - j, switches)); }
    int near_end(int ahead, int j) const {
        return static_cast<int>(((ahead - 1) * each + j) % switches);
    }
    int far_end(int ahead, int j) const { return near_end(groups - ahead, j); }
    /// Number of a bundle among those of all groups.
    int number(int group, int ahead, int j) const {
        return (group * (groups - 1) + ahead - 1) * bundles() + j;
    }
};

}  // namespace hopbine::network
