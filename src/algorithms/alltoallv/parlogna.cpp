// ParLogNa: Bruck's algorithm of any radix (Sec. 3). The paper's rounds of a digit are one step
// here, with the sizes of the blocks in the header of every message, unless they are asked for as
// in Algorithm 1.
#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/exchange/bruck.hpp"
#include "families/radix.hpp"

namespace hopbine::registered {

Algorithm alltoallv_parlogna{
    .collective = Collective::alltoallv,
    .name = "parlogna",
    .summary = "a step for every digit of the way to base r, sizes in the same message as the data",
    .paper = "ParLogNa/ParLinNa HPDC'25",
    .section = "3",
    .parameters = {radix::of_nonuniform,
                   {"rounds", Kind::published, 0, 1, 0,
                    "1: the r - 1 messages of a digit one after another, as in Algorithm 1; 0: in "
                    "flight together"},
                   {"two_phase", Kind::published, 0, 1, 0,
                    "1: sizes in a message before the data, as in Algorithm 1; 0: in the same "
                    "message"}},
    .claim =
        [](const Problem& q) {
            const int r = radix::r(q, q.p);
            Claim all = claims::bruck_index(q.p, r);
            if (q.get("rounds")) all.steps = bruck_rounds(q.p, r);
            return all;
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const int r = radix::r(q, q.p);
        const SchedulePtr s = q.get("rounds") ? bruck_index_by_rounds(q.p, r) : bruck_index(q.p, r);
        return q.get("two_phase") ? wired(s, Wire::sizes_first) : s;
    },
};

}  // namespace hopbine::registered
