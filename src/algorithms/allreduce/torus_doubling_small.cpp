// Recursive doubling, latency-optimal, on a torus (Swing Sec. 2.3.2). Whole vectors; dimensions
// take turns.
#include "families/exchange/butterfly.hpp"
#include "families/ports.hpp"
#include "families/torus/torus.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/integers.hpp"

namespace hopbine::registered {

Algorithm allreduce_torus_doubling_small{
    .collective = Collective::allreduce,
    .name = "torus_doubling_small",
    .summary =
        "recursive doubling of whole vectors on a torus, dimensions taking turns; on one port, or "
        "mirrored on all",
    .paper = "Swing NSDI'24",
    .section = "2.3.2, 4.1",
    .ranks = Ranks::power_of_two,
    .needs_commutative = true,
    .bitwise_reproducible = false,
    .parameters = {ports::mirrored_if_asked},
    .follows_shape = true,
    .note = "mirrored, every rank adds in its own order",
    .claim =
        [](const Problem& q) {
            const int steps = torus::steps(q.shape, ceil_log2);
            return Claim{steps, std::int64_t{q.p} * q.p * steps * ports::parts(q)};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const auto line = [](butterfly::Sign sign) {
            return [sign](int n) { return butterfly::whole_vector(n, n, sign); };
        };
        return torus::on_ports(q.shape, ports::parts(q), torus::Ports::swing,
                               line(butterfly::Sign::plain), line(butterfly::Sign::flipped), true,
                               [&](const torus::Lines& lines, int first) {
                                   return torus::whole_vectors(q.shape, lines, first);
                               });
    },
};

}  // namespace hopbine::registered
