// Torus Bine butterfly on a buffer in DFS postorder (App. D.2). Every message is one run.
#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/torus/swing.hpp"
#include "families/torus/torus_bine.hpp"

namespace hopbine::registered {

Algorithm reduce_scatter_torus_bine_permute{
    .collective = Collective::reduce_scatter,
    .name = "torus_bine_permute",
    .summary =
        "Bine butterfly dimension by dimension on a torus, blocks permuted in memory, one port",
    .paper = "Bine SC'25",
    .section = "App. D.2",
    .ranks = Ranks::power_of_two,
    .needs_commutative = true,
    .follows_shape = true,
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, swing::steps(q.shape)); },
    .make = [](const Problem& q) -> SchedulePtr {
        const SchedulePtr half = torus_bine::reduce_scatter_on_one_port(q);
        return permuted(half, torus_bine::windows(q).positions);
    },
};

}  // namespace hopbine::registered
