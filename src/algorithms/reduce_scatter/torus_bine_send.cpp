// Torus Bine butterfly in DFS postorder, with one extra exchange that reorders blocks (App. D.2).
#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/torus/swing.hpp"
#include "families/torus/torus_bine.hpp"

namespace hopbine::registered {

Algorithm reduce_scatter_torus_bine_send{
    .collective = Collective::reduce_scatter,
    .name = "torus_bine_send",
    .summary =
        "Bine butterfly dimension by dimension on a torus, blocks put in order by one more "
        "exchange, one port",
    .paper = "Bine SC'25",
    .section = "App. D.2",
    .ranks = Ranks::power_of_two,
    .needs_commutative = true,
    .follows_shape = true,
    .claim =
        [](const Problem& q) {
            const std::int64_t p = q.p;
            return Claim{swing::steps(q.shape) + 1,
                         p * (p - 1) + displaced(torus_bine::windows(q).positions)};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const torus::Windows w = torus_bine::windows(q);
        const SchedulePtr exchange = handed_over(w.positions);
        return sequence({w.schedule, exchange});
    },
};

}  // namespace hopbine::registered
