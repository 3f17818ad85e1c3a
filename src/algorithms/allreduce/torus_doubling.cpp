// Recursive doubling, bandwidth-optimised for tori (Sack and Gropp; Swing Sec. 2.3.3). Vector
// halving, distance doubling; dimensions take turns.
#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/exchange/reduced.hpp"
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
    .needs_commutative = true,
    .parameters = {ports::mirrored_if_asked,
                   {"eliminate", Kind::published, 0, 1, 0,
                    "extents that are no powers of two, 1: by 3-2 elimination; 0: reduced to the "
                    "next lower one first"}},
    .follows_shape = true,
    .note =
        "extents that are no powers of two: a coordinate that is too many gives its vector to the "
        "next one, and gets the result",
    .claim =
        [](const Problem& q) {
            const auto line = q.get("eliminate") ? floor_log2 : butterfly::reduced_steps;
            return claims::all_parts_once(q, 2 * torus::steps(q.shape, line), ports::parts(q), 2);
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const auto reduced = [](butterfly::Sign sign) -> torus::Line {
            return [sign](int n) { return butterfly::reduced_doubling(n, sign); };
        };
        const bool eliminate = q.get("eliminate");
        const torus::Line line = eliminate ? butterfly::eliminating_doubling
                                           : reduced(butterfly::Sign::plain),
                          flip =
                              eliminate ? torus::mirrored(line) : reduced(butterfly::Sign::flipped);
        return torus::on_ports(q.shape, ports::parts(q), torus::Ports::swing, line, flip, true,
                               [&](const torus::Lines& lines, int first) {
                                   const SchedulePtr half = torus::butterfly(q.shape, lines, first);
                                   return sequence({half, reversed(half, Op::copy)});
                               });
    },
};

}  // namespace hopbine::registered
