#include "families/ring/ring.hpp"

#include "combinators/combinators.hpp"
#include "schedule/integers.hpp"

namespace hopbine {

SchedulePtr ring_allgather(int p) {
    return repeating(shifts(
                         p, p - 1, Op::copy, [](int) { return 1; },
                         [p](int rank, int s) { return BlockSet::single(mod(rank - s, p)); }),
                     -1);
}

SchedulePtr ring_reduce_scatter(int p) {
    return repeating(shifts(
                         p, p - 1, Op::reduce, [](int) { return 1; },
                         [p](int rank, int s) { return BlockSet::single(mod(rank - 1 - s, p)); }),
                     -1);
}

}  // namespace hopbine
