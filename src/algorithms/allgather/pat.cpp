// Parallel aggregated trees of NCCL: far ranks first, with a bound for the blocks of a message.
#include "families/exchange/pat.hpp"

#include "families/claims.hpp"

namespace hopbine::registered {

Algorithm allgather_pat{
    .collective = Collective::allgather,
    .name = "pat",
    .summary = "binomial trees from every rank, far ranks first, some trees in one message",
    .paper = "Jeaugey arXiv:2506.20252",
    .section = "PAT",
    .parameters = {pat::parameter},
    .claim =
        [](const Problem& q) { return claims::all_blocks_once(q, pat::steps(q.p, pat::trees(q))); },
    .make = [](const Problem& q) -> SchedulePtr { return pat::allgather(q.p, pat::trees(q)); },
};

}  // namespace hopbine::registered
