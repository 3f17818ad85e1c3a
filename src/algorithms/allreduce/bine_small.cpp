// Bine butterfly with the whole vector in every step (Sec. 4.4).
#include "families/bine/bine.hpp"
#include "families/claims.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/integers.hpp"

namespace hopbine::registered {

Algorithm allreduce_bine_small{
    .collective = Collective::allreduce,
    .name = "bine_small",
    .summary = "Bine butterfly, whole vector every step",
    .paper = "Bine SC'25",
    .section = "4.4",
    .needs_commutative = true,
    .bitwise_reproducible = false,
    .note =
        "p not a power of two folds: on whole vectors a contribution that comes twice cannot be "
        "taken out again; every rank adds in its own order",
    .claim = claims::folded_butterfly,
    .make = [](const Problem& q) -> SchedulePtr {
        return folded(bine::whole_vector_butterfly(1 << floor_log2(q.p), q.p), q.p);
    },
};

}  // namespace hopbine::registered
