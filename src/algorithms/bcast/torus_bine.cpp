// Product of the dimensions' distance-halving Bine trees (App. D.1), with whole vectors. Every port
// of a torus runs at once (App. D.4).
#include "families/bine/bine.hpp"
#include "families/claims.hpp"
#include "families/ports.hpp"
#include "families/torus/torus_tree.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm bcast_torus_bine{
    .collective = Collective::bcast,
    .name = "torus_bine",
    .summary = "distance-halving Bine trees of a torus' dimensions, all ports at once",
    .paper = "Bine SC'25",
    .section = "App. D",
    .parameters = {ports::going_round},
    .follows_shape = true,
    .note = "any extents without folding",
    .claim =
        [](const Problem& q) {
            return claims::all_parts_once(q, torus::steps(q.shape, ceil_log2), ports::parts(q), 1);
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return torus::tree_bcast(q, torus::Ports::bine, bine::halving_tree);
    },
};

}  // namespace hopbine::registered
