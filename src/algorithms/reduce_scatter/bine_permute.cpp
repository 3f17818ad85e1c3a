// Bine butterfly on a permuted buffer with block b at nu(b) (Sec. 4.3.1, Fig. 8). Every message is
// one run.
#include "combinators/combinators.hpp"
#include "families/bine/bine.hpp"
#include "families/claims.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/integers.hpp"

namespace hopbine::registered {

Algorithm reduce_scatter_bine_permute{
    .collective = Collective::reduce_scatter,
    .name = "bine_permute",
    .summary = "Bine butterfly, blocks permuted in memory",
    .paper = "Bine SC'25",
    .section = "4.3.1",
    .ranks = Ranks::power_of_two,
    .needs_commutative = true,
    .parameters = {{"overlap", Kind::flag, 0, 1, 0,
                    "1: blocks are copied into the other order while messages are in flight; 0: "
                    "all at one end"}},
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, bine::steps(q.p)); },
    .make = [](const Problem& q) -> SchedulePtr {
        return permuted(bine::reduce_scatter(q.p, bine::Order::doubling, false),
                        bine::permutation(q.p), q.get("overlap") == 1);
    },
};

}  // namespace hopbine::registered
