#include "core/ring.hpp"

#include "core/numbers.hpp"

namespace hopbine {

SchedulePtr ring_allgather(int p) {
    return shifts(
        p, p - 1, Mode::copy, [](int) { return 1; }, [p](int rank, int s) { return BlockSet::single(mod(rank - s, p)); });
}

}  // namespace hopbine
