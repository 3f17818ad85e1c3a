// Pipelined broadcast on a circulant graph. In every step each rank sends a segment and receives
// one, so that the steps are the fewest possible for so many segments.
#include "families/exchange/circulant.hpp"

#include "combinators/combinators.hpp"
#include "combinators/segments.hpp"
#include "schedule/integers.hpp"

namespace hopbine::registered {

Algorithm bcast_circulant{
    .collective = Collective::bcast,
    .name = "circulant",
    .summary = "segments on a circulant graph, in the fewest steps",
    .paper = "Träff arXiv:2312.11236",
    .section = "2",
    .parameters = {segments::parameter},
    .segments_differ = true,
    .claim =
        [](const Problem& q) { return segments::claim(q, ceil_log2(q.p), std::int64_t{q.p - 1}); },
    .make = [](const Problem& q) -> SchedulePtr {
        return rotated(circulant::bcast(q.p, segments::of(q)), q.p, q.root, false);
    },
};

}  // namespace hopbine::registered
