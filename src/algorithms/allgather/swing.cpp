// Swing allgather: the reduce_scatter backwards in time (Sec. 3.1.1, 4).
#include "families/torus/swing.hpp"

#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/ports.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm allgather_swing{
    .collective = Collective::allgather,
    .name = "swing",
    .summary = "Swing allgather on a torus, all ports at once",
    .paper = "Swing NSDI'24",
    .section = "3.1.1, 4",
    .parameters = {ports::mirrored},
    .follows_shape = true,
    .note =
        "even dimensions without extra volume; odd ones: the last coordinate exchanges directly",
    .claim =
        [](const Problem& q) {
            return claims::all_parts_once(q, swing::steps(q.shape), ports::parts(q), 1);
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return reversed(swing::reduce_scatter(q), Op::copy);
    },
};

}  // namespace hopbine::registered
