// Recursive doubling, bandwidth-optimised for tori (Sack and Gropp; Swing Sec. 2.3.3). Vector
// halving, distance doubling; dimensions take turns.
#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/exchange/butterfly.hpp"
#include "families/ports.hpp"
#include "families/torus/torus.hpp"

namespace hopbine::registered {

Algorithm allreduce_torus_doubling{
    .collective = Collective::allreduce,
    .name = "torus_doubling",
    .summary =
        "Rabenseifner's algorithm on a torus, dimensions taking turns; on one port, or mirrored on "
        "all",
    .paper = "Swing NSDI'24",
    .section = "2.3.3, 4.1",
    .ranks = Ranks::power_of_two,
    .needs_commutative = true,
    .parameters = {ports::mirrored_if_asked},
    .follows_shape = true,
    .claim =
        [](const Problem& q) {
            return claims::all_parts_once(q, 2 * torus::steps(q.shape, ceil_log2), ports::parts(q),
                                          2);
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const auto line = [](butterfly::Sign sign) {
            return [sign](int n) { return butterfly::doubling(butterfly::even(n, n), sign); };
        };
        return torus::on_ports(q.shape, ports::parts(q), torus::Ports::swing,
                               line(butterfly::Sign::plain), line(butterfly::Sign::flipped), true,
                               [&](const torus::Lines& lines, int first) {
                                   const SchedulePtr half = torus::butterfly(q.shape, lines, first);
                                   return sequence({half, reversed(half, Op::copy)});
                               });
    },
};

}  // namespace hopbine::registered
