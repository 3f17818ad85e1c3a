// The product of the dimensions' distance-halving Bine trees, backwards, on every port of a torus
// at once (App. D).
#include "core/algorithm.hpp"
#include "core/bine.hpp"
#include "core/combinators.hpp"
#include "core/numbers.hpp"
#include "core/ports.hpp"
#include "core/torus_tree.hpp"

namespace hopbine::registered {

Algorithm gather_torus_bine{
    .collective = Collective::gather,
    .name = "torus_bine",
    .summary =
        "distance-halving Bine trees of a torus' dimensions, leaves to root, all ports at once",
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
        return reversed(torus::tree_scatter(q, torus::Ports::bine, bine::halving_tree), Mode::copy);
    },
};

}  // namespace hopbine::registered
