// Bine butterfly as if blocks were permuted; one more exchange puts them right (Sec. 4.3.1).
#include "families/bine/bine.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/integers.hpp"

namespace hopbine::registered {

Algorithm allgather_bine_send{
    .collective = Collective::allgather,
    .name = "bine_send",
    .summary = "Bine butterfly, blocks put in order by one more exchange",
    .paper = "Bine SC'25",
    .section = "4.3.1",
    .ranks = Ranks::power_of_two,
    .claim =
        [](const Problem& q) {
            return Claim{ceil_log2(q.p) + 1,
                         std::int64_t{q.p} * (q.p - 1) + displaced(bine::permutation(q.p))};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return sequence({reversed(handed_over(bine::permutation(q.p)), Op::copy),
                         bine::allgather(q.p, bine::Order::doubling, true)});
    },
};

}  // namespace hopbine::registered
