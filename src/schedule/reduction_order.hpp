/// The order in which a rank reduces the contributions that it receives in one step.
#pragma once
#include <vector>

#include "schedule/schedule.hpp"

namespace hopbine {

struct OrderedMove {
    const Move* move;
    bool onward;  ///< a contribution reduced into the next one of this list, not yet into the
                  ///< rank's own value
};

/// The moves of one step of `rank` in the order of execution; pointers refer to `moves`. Copies
/// come before contributions, at the sender too: two ranks see their messages in one order.
/// Contributions come in ascending order of rank. Those of lower ranks for the same blocks are
/// reduced with each other first, then with the rank's own value. So all ranks that reduce the same
/// contributions start at the lowest rank and get the same bits.
std::vector<OrderedMove> in_reduction_order(const Step& moves, int rank);

}  // namespace hopbine
