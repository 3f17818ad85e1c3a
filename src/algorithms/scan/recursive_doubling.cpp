// Inclusive prefix sums at growing distances.
#include "families/prefix/prefix.hpp"
#include "families/radix.hpp"

namespace hopbine::registered {

Algorithm scan_recursive_doubling{
    .collective = Collective::scan,
    .name = "recursive_doubling",
    .summary = "windows of ranks that grow k times a step, log_k(p) steps for any p",
    .paper = "Hillis, Steele CACM'86",
    .section = "partial sums",
    .parameters = {radix::of_prefix},
    .claim = [](const Problem& q) { return prefix::doubling_cost(q.p, radix::k(q)).claim(q); },
    .make = [](const Problem& q) -> SchedulePtr { return prefix::doubling(q.p, radix::k(q), q.p); },
};

}  // namespace hopbine::registered
