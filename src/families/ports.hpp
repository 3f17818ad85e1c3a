/// Parameters that run algorithms of tori on several ports at once.
#pragma once
#include "schedule/algorithm.hpp"
#include "schedule/bounds.hpp"

namespace hopbine::ports {

/// A torus of the most dimensions has so many ports.
inline constexpr std::int64_t kMost = 2 * kMostDimensions;

inline constexpr Parameter going_round{
    "ports",
    Kind::ports,
    0,
    kMost,
    1,
    "1: 2 D parts at once, one per port of a torus of D dimensions, going round its directions "
    "(Bine App. D.4); 0: one part; more: so many parts, on the first ports"};
inline constexpr Parameter mirrored{
    "ports",
    Kind::ports,
    0,
    kMost,
    1,
    "1: 2 D parts at once, one per port of a torus of D dimensions, half of them mirrored, each "
    "beginning another way (Swing Sec. 4.1); 0: one part; more: so many parts, on the first "
    "ports"};
inline constexpr Parameter mirrored_if_asked{"ports",
                                             Kind::ports,
                                             0,
                                             kMost,
                                             0,
                                             "1: mirrored, 2 D parts at once, one per port of a "
                                             "torus of D dimensions (Swing Sec. 5.1); 0: one part; "
                                             "more: so many parts, on the first ports"};

/// Number of parts that move at the same time.
inline int parts(const Problem& q) {
    const auto ports = static_cast<int>(q.get("ports"));
    return ports == 1 ? 2 * static_cast<int>(q.shape.size()) : std::max(ports, 1);
}

}  // namespace hopbine::ports
