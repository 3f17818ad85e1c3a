/// Global cables between groups of switches, for src/network only. They are the same seen from each
/// group, and spread evenly over its switches.
#pragma once
#include <algorithm>
#include <cstdint>

#include "schedule/integers.hpp"

namespace hopbine::network {

/// Cables between groups. Cable j from a group to the one `ahead` groups further (mod groups) has
/// number (ahead - 1) * each + j in its group. Number i is at switch i mod switches. Seen from the
/// other group it is cable j to the one groups - ahead further, so that both agree on it.
struct Globals {
    int groups, switches;  ///< `switches`: those of a group with global cables
    std::int64_t each;     ///< cables between every two groups
    /// Number of pairs of switches that the cables between two groups connect. Cables j, j +
    /// switches, ... are parallel and form one link.
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
