// Bine butterfly: a block takes the path of its contribution in a reduce_scatter (Sec. 4.4).
#include "families/bine/bine.hpp"

#include "schedule/algorithm.hpp"

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
    .claim = [](const Problem& q) { return bine::alltoall_claim(q.p); },
    .make = [](const Problem& q) -> SchedulePtr { return bine::alltoall(q.p); },
};

}  // namespace hopbine::registered
