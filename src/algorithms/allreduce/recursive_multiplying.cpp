// Recursive multiplying on whole vectors (Sec. IV-C).
#include "families/exchange/recursive_multiplying.hpp"

#include "families/claims.hpp"
#include "families/radix.hpp"

namespace hopbine::registered {

Algorithm allreduce_recursive_multiplying{
    .collective = Collective::allreduce,
    .name = "recursive_multiplying",
    .summary = "whole vectors, k - 1 partners a step",
    .paper = "Wilkins et al. CLUSTER'23",
    .section = "IV",
    .parameters = {radix::of_exchange, radix::of_last_exchange},
    .note = "p no power of k: parts of unequal size, no further step; rank order is kept",
    .claim =
        [](const Problem& q) {
            return Claim{Division::of(q).steps(), Division::of(q).messages() * q.p};
        },
    .make = [](const Problem& q) { return multiplying_allreduce(Division::of(q), q.p); },
};

}  // namespace hopbine::registered
