// Pipelined chain: segments follow one another from rank to rank, backwards.
#include "combinators/combinators.hpp"
#include "combinators/segments.hpp"
#include "families/tree/pipelined_trees.hpp"

namespace hopbine::registered {

Algorithm reduce_chain{
    .collective = Collective::reduce,
    .name = "chain",
    .summary = "segments back along a chain of ranks",
    .paper = "Sanders, Speck, Träff ParCo'09",
    .section = "1",
    .needs_commutative = true,
    .parameters = {segments::parameter},
    .claim = [](const Problem& q) { return segments::claim(q, q.p - 1, std::int64_t{q.p - 1}); },
    .make = [](const Problem& q) -> SchedulePtr {
        const SchedulePtr one = reversed(tree_bcast(chain(q.p), 0), Op::reduce);
        return rotated(segmented(one, q.p, segments::of(q)), q.p, q.root, false);
    },
};

}  // namespace hopbine::registered
