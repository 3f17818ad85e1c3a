#include "families/ring/ring.hpp"

#include "combinators/combinators.hpp"
#include "schedule/integers.hpp"

namespace hopbine {

SchedulePtr ring_allgather(int p) {
    const SchedulePtr around = shifts(
        p, p - 1, Op::copy, [](int) { return 1; },
        [p](int rank, int s) { return BlockSet::single(mod(rank - s, p)); });
    return with_symmetry(around, 1, [](int) { return 0; });
}

SchedulePtr ring_reduce_scatter(int p) {
    const SchedulePtr around = shifts(
        p, p - 1, Op::reduce, [](int) { return 1; },
        [p](int rank, int s) { return BlockSet::single(mod(rank - 1 - s, p)); });
    return with_symmetry(around, 1, [](int) { return 0; });
}

}  // namespace hopbine
