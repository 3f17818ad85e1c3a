// Recursive doubling on whole vectors.
#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/exchange/butterfly.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/integers.hpp"

namespace hopbine::registered {

Algorithm allreduce_recursive_doubling{
    .collective = Collective::allreduce,
    .name = "recursive_doubling",
    .summary = "whole vector every step",
    .paper = "Thakur, Rabenseifner, Gropp IJHPCA'05",
    .section = "4.5",
    .note = "p not a power of two folds; rank order is kept",
    .claim = claims::folded_butterfly,
    .make = [](const Problem& q) -> SchedulePtr {
        return folded(butterfly::whole_vector(1 << floor_log2(q.p), q.p), q.p);
    },
};

}  // namespace hopbine::registered
