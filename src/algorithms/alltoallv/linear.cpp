// Linear: every rank sends to all others in rank order, at once, or one after another.
#include "families/claims.hpp"
#include "families/exchange/direct_alltoall.hpp"

namespace hopbine::registered {

Algorithm alltoallv_linear{
    .collective = Collective::alltoallv,
    .name = "linear",
    .summary = "all messages at once, in rank order",
    .paper = "ParLogNa/ParLinNa HPDC'25",
    .section = "2 (d)",
    .parameters = {{"blocking", Kind::published, 0, 1, 0,
                    "1: a message is sent when the one to the rank before has arrived, as by "
                    "blocking sends (Sec. 5.3); 0: all at once"}},
    .claim =
        [](const Problem& q) {
            const int last = q.p > 1;
            return claims::all_blocks_once(q, q.get("blocking") ? last * q.p : last);
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return q.get("blocking") ? direct_alltoall::to_each_in_turn(q.p)
                                 : direct_alltoall::in_rank_order(q.p);
    },
};

}  // namespace hopbine::registered
