// Recursive doubling on whole vectors.
#include "core/algorithm.hpp"
#include "core/claims.hpp"
#include "core/combinators.hpp"
#include "core/hypercube.hpp"
#include "core/numbers.hpp"

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
        return folded(hypercube::whole_vector(1 << floor_log2(q.p), q.p), q.p);
    },
};

}  // namespace hopbine::registered
