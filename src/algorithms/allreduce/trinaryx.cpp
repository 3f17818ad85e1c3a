// Trinaryx: up and down each of three edge-disjoint trees of a 3D torus. A segment goes down while
// the next ones go up, over the same links in the other direction.
#include "combinators/combinators.hpp"
#include "combinators/segments.hpp"
#include "families/torus/edge_disjoint_trees.hpp"

namespace hopbine::registered {

Algorithm allreduce_trinaryx{
    .collective = Collective::allreduce,
    .name = "trinaryx",
    .summary = "segments up and down edge-disjoint trees of a torus, one per dimension",
    .paper = "Adachi et al. CSRD'13",
    .section = "Trinaryx3",
    .needs_commutative = true,
    .parameters = {torus::both_ways, segments::parameter},
    .follows_shape = true,
    .note = "any extents; those of 1 do not count, and trees share the one link of a ring of 2",
    .claim =
        [](const Problem& q) {
            return segments::claim(q, 2 * torus::disjoint_tree_steps(q.shape),
                                   2 * std::int64_t{q.p - 1}, torus::disjoint_trees(q));
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const SchedulePtr down = torus::disjoint_trees_bcast(q);
        return segmented(sequence({reversed(down, Op::reduce), down}), q.p, segments::of(q));
    },
};

}  // namespace hopbine::registered
