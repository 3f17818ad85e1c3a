/// Parameters that run algorithms of tori on all ports at once.
#pragma once
#include "schedule/algorithm.hpp"

namespace hopbine::ports {

inline constexpr Parameter going_round{
    "ports",
    Kind::ports,
    0,
    1,
    1,
    "1: 2 D parts at once, one per port of a torus of D dimensions, going round its directions "
    "(Bine App. D.4); 0: one part"};
inline constexpr Parameter mirrored{
    "ports",
    Kind::ports,
    0,
    1,
    1,
    "1: 2 D parts at once, one per port of a torus of D dimensions, half of them mirrored, each "
    "beginning another way (Swing Sec. 4.1); 0: one part"};
inline constexpr Parameter mirrored_if_asked{"ports",
                                             Kind::ports,
                                             0,
                                             1,
                                             0,
                                             "1: mirrored, 2 D parts at once, one per port of a "
                                             "torus of D dimensions (Swing Sec. 5.1); 0: one part"};

/// Number of parts that move at the same time: two per dimension, or one.
inline int parts(const Problem& q) {
    return q.get("ports") ? 2 * static_cast<int>(q.shape.size()) : 1;
}

}  // namespace hopbine::ports
