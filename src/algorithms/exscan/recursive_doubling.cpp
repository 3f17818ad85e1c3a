// A shift by one rank, then inclusive prefix sums of the others at growing distances.
#include "families/prefix/prefix.hpp"
#include "families/radix.hpp"

namespace hopbine::registered {

Algorithm exscan_recursive_doubling{
    .collective = Collective::exscan,
    .name = "recursive_doubling",
    .summary = "contributions to the next rank, then windows that grow k times a step",
    .paper = "Träff arXiv:2507.04785",
    .section = "shifted vectors",
    .parameters = {radix::of_prefix},
    .claim =
        [](const Problem& q) {
            return prefix::doubling_cost(q.p - 1, radix::k(q)).exclusive(q.p).claim(q);
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return prefix::exclusive(prefix::doubling(q.p - 1, radix::k(q), q.p), q.p);
    },
};

}  // namespace hopbine::registered
