// Product of the dimensions' distance-halving Bine trees (App. D.1, D.2). Every port of a torus
// runs at once (App. D.4).
#include "families/bine/bine.hpp"
#include "families/ports.hpp"
#include "families/torus/torus_tree.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/integers.hpp"

namespace hopbine::registered {

Algorithm scatter_torus_bine{
    .collective = Collective::scatter,
    .name = "torus_bine",
    .summary = "distance-halving Bine trees of a torus' dimensions, all ports at once",
    .paper = "Bine SC'25",
    .section = "App. D",
    .parameters = {ports::going_round},
    .follows_shape = true,
    .note = "any extents without folding",
    .claim =
        [](const Problem& q) {
            return Claim{torus::steps(q.shape, ceil_log2), torus::hops(q, bine::halving_tree)};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return torus::tree_scatter(q, torus::Ports::bine, bine::halving_tree);
    },
};

}  // namespace hopbine::registered
