// Bine butterfly: a block takes the path of its contribution in a reduce_scatter (Sec. 4.4).
#include "families/bine/bine.hpp"

#include "schedule/algorithm.hpp"
#include "schedule/integers.hpp"

namespace hopbine::registered {

Algorithm alltoall_bine{
    .collective = Collective::alltoall,
    .name = "bine",
    .summary = "Bine butterfly, log2(p) steps",
    .paper = "Bine SC'25",
    .section = "4.4",
    .note =
        "even p by the paths of the reduce_scatter, odd p: p - 1 ranks, the last one served "
        "directly",
    .claim =
        [](const Problem& q) {
            const std::int64_t p = q.p - q.p % 2;
            return Claim{bine::steps(q.p), p * p * ceil_log2(q.p) / 2 + 2 * (q.p - p) * p,
                         power_of_two(q.p)};
        },
    .make = [](const Problem& q) -> SchedulePtr { return bine::alltoall(q.p); },
};

}  // namespace hopbine::registered
