// Pipelined chain: every rank adds to each segment what the rank before has, and hands it on.
#include "combinators/segments.hpp"
#include "families/prefix/prefix.hpp"

namespace hopbine::registered {

Algorithm scan_chain{
    .collective = Collective::scan,
    .name = "chain",
    .summary = "segments along a chain of ranks",
    .paper = "Sanders, Träff EuroPVM/MPI'06",
    .section = "linear pipeline",
    .parameters = {segments::parameter},
    .claim = [](const Problem& q) { return segments::claim(q, q.p - 1, std::int64_t{q.p - 1}); },
    .make = [](const Problem& q) -> SchedulePtr {
        return segmented(prefix::chain(q.p, q.p), q.p, segments::of(q));
    },
};

}  // namespace hopbine::registered
