// Trinaryx: a third of the vector down each of three edge-disjoint trees of a 3D torus, in
// segments. The K computer's MPI has it (Adachi et al. 2013); its exact trees are not public. These
// are derived here (families/torus/edge_disjoint_trees.hpp), for any number of dimensions.
#include "combinators/segments.hpp"
#include "families/torus/edge_disjoint_trees.hpp"

namespace hopbine::registered {

Algorithm bcast_trinaryx{
    .collective = Collective::bcast,
    .name = "trinaryx",
    .summary = "segments down edge-disjoint trees of a torus, one per dimension",
    .paper = "Adachi et al. CSRD'13",
    .section = "Trinaryx3",
    .parameters = {torus::both_ways, segments::parameter},
    .follows_shape = true,
    .note = "any extents; those of 1 do not count, and trees share the one link of a ring of 2",
    .claim =
        [](const Problem& q) {
            return segments::claim(q, torus::disjoint_tree_steps(q.shape), std::int64_t{q.p - 1},
                                   torus::disjoint_trees(q));
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return segmented(torus::disjoint_trees_bcast(q), q.p, segments::of(q));
    },
};

}  // namespace hopbine::registered
