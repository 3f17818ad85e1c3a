// Pairwise exchange: in step s every rank sends to the rank s + 1 ahead.
#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/exchange/direct_alltoall.hpp"

namespace hopbine::registered {

Algorithm alltoallv_pairwise{
    .collective = Collective::alltoallv,
    .name = "pairwise",
    .summary = "one exchange per step",
    .paper = "ParLogNa/ParLinNa HPDC'25",
    .section = "2 (d)",
    .parameters = {{"empty", Kind::published, 0, 1, 0,
                    "1: a block without data is sent too, as by MPI libraries; 0: no message"}},
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, q.p - 1); },
    .make = [](const Problem& q) -> SchedulePtr {
        const SchedulePtr s = direct_alltoall::batches(q.p, 1);
        return q.get("empty") ? wired(s, Wire::with_empty) : s;
    },
};

}  // namespace hopbine::registered
