// Bine reduce_scatter, then Bine allgather (Sec. 4.4). The allgather undoes the block order of the
// reduce_scatter.
#include "families/bine/bine.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/integers.hpp"

namespace hopbine::registered {

Algorithm allreduce_bine_large{
    .collective = Collective::allreduce,
    .name = "bine_large",
    .summary = "Bine reduce_scatter and allgather, no permutation",
    .paper = "Bine SC'25",
    .section = "4.4",
    .needs_commutative = true,
    .parameters =
        {{"segment", Kind::bytes, 0, std::int64_t{1} << 30, 0,
          "bytes a received message is cut into so that reduction overlaps transfer; 0: whole"}},
    .note =
        "even p without extra volume; odd p: p - 1 ranks, the last one exchanges single blocks "
        "directly",
    .claim =
        [](const Problem& q) {
            return Claim{2 * bine::steps(q.p), 2 * std::int64_t{q.p} * (q.p - 1)};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const bool contiguous = power_of_two(q.p);
        return sequence({bine::reduce_scatter(q.p, bine::Order::doubling, contiguous),
                         bine::allgather(q.p, bine::Order::doubling, contiguous)});
    },
};

}  // namespace hopbine::registered
