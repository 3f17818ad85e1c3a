/// How the contributions that reach a rank in one step are joined.
#pragma once
#include <vector>

#include "schedule/schedule.hpp"

namespace hopbine {

struct OrderedMove {
    const Move* move;
    bool onward;  ///< a contribution that is added to the next one of this list, not yet to what
                  ///< the rank has
};

/// The moves of one step of `rank` in the order in which they are carried out. Contributions come
/// by ascending rank, and those of lower ranks for the same blocks are summed up before what the
/// rank has is added: so all ranks that join the same contributions join them from the lowest rank
/// up, and get the same bits. Pointers are into `moves`.
std::vector<OrderedMove> in_reduction_order(const Step& moves, int rank);

}  // namespace hopbine
