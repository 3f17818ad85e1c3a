// Bine butterfly on contiguous blocks, with one extra exchange that reorders them (Sec. 4.3.1).
#include "families/bine/bine.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/integers.hpp"

namespace hopbine::registered {

Algorithm reduce_scatter_bine_send{
    .collective = Collective::reduce_scatter,
    .name = "bine_send",
    .summary = "Bine butterfly, blocks put in order by one more exchange",
    .paper = "Bine SC'25",
    .section = "4.3.1",
    .ranks = Ranks::power_of_two,
    .needs_commutative = true,
    .claim =
        [](const Problem& q) {
            return Claim{ceil_log2(q.p) + 1,
                         std::int64_t{q.p} * (q.p - 1) + displaced(bine::permutation(q.p))};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return sequence({bine::reduce_scatter(q.p, bine::Order::doubling, true),
                         handed_over(bine::permutation(q.p))});
    },
};

}  // namespace hopbine::registered
