/// The messages of a rank's step, in the order in which they are posted.
#pragma once
#include "schedule/reduction_order.hpp"

namespace hopbine {

/// Calls message(move, blocks) for every message of a step of `rank`: one for a move, or one for
/// each of its runs. Those of contributions that are added to each other follow one another.
template <class F>
void each_message(const Step& moves, int rank, const Traits& traits, F&& message) {
    const bool by_run = traits.wire == Wire::per_run && !traits.layout;
    const std::vector<OrderedMove> all = in_reduction_order(moves, rank);
    for (std::size_t first = 0, last; first < all.size(); first = last + 1) {
        for (last = first; all[last].onward; ++last) {
        }
        const BlockSet& blocks = all[first].move->blocks;  // of all joined moves
        const auto joined = [&](const BlockSet& some) {
            for (std::size_t i = first; i <= last; ++i) message(all[i], some);
        };
        if (by_run)
            for (const Run& r : blocks.runs()) joined(BlockSet::range(r.lo, r.hi));
        else
            joined(blocks);
    }
}

}  // namespace hopbine
