// Bine's alltoall in every dimension of a torus (Sec. 4.4, App. D). Dimensions take turns.
#include "families/bine/bine.hpp"
#include "families/ports.hpp"
#include "families/torus/swing.hpp"
#include "families/torus/torus_alltoall.hpp"
#include "schedule/integers.hpp"

namespace hopbine::registered {

Algorithm alltoall_torus_bine{
    .collective = Collective::alltoall,
    .name = "torus_bine",
    .summary = "Bine butterfly dimension by dimension on a torus",
    .paper = "Bine SC'25",
    .section = "4.4, App. D",
    .parameters = {torus::alltoall_ports},
    .follows_shape = true,
    .note = "odd extents: the last coordinate exchanges directly",
    .claim =
        [](const Problem& q) {
            Claim all{swing::steps(q.shape), 0};
            for (int n : q.shape) {
                const Claim line = bine::alltoall_claim(n);
                all.blocks += line.blocks * (q.p / n) * (q.p / n) * ports::parts(q);
                all.exact &= line.exact;
            }
            return all;
        },
    .make = [](const Problem& q) -> SchedulePtr { return torus::bine_alltoall(q); },
};

}  // namespace hopbine::registered
