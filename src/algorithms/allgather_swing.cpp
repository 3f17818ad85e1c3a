// Swing allgather: the reduce_scatter backwards in time (Sec. 3.1.1, 4).
#include "core/algorithm.hpp"
#include "core/claims.hpp"
#include "core/combinators.hpp"
#include "core/ports.hpp"
#include "core/swing.hpp"

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
        return reversed(swing::reduce_scatter(q), Mode::copy);
    },
};

}  // namespace hopbine::registered
