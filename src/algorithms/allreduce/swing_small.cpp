// Swing, latency-optimal: whole vectors in every step (Sec. 3.1.2, 4).
#include "combinators/combinators.hpp"
#include "families/bine/bine.hpp"
#include "families/ports.hpp"
#include "families/torus/swing.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/integers.hpp"

namespace hopbine::registered {

Algorithm allreduce_swing_small{
    .collective = Collective::allreduce,
    .name = "swing_small",
    .summary = "Swing with whole vectors on a torus, all ports at once",
    .paper = "Swing NSDI'24",
    .section = "3.1.2, 4",
    .needs_commutative = true,
    .bitwise_reproducible = false,
    .parameters = {ports::mirrored},
    .follows_shape = true,
    .note =
        "dimensions that are no power of two: folded to the next lower one; every rank adds in its "
        "own order",
    .claim =
        [](const Problem& q) {
            Claim all{0, 0};
            for (int n : q.shape) {
                const std::int64_t core = std::int64_t{1} << floor_log2(n), extra = n - core;
                all.steps += floor_log2(n) + (extra ? 2 : 0);
                all.blocks +=
                    (core * floor_log2(n) + 2 * extra) * (q.p / n) * q.p * ports::parts(q);
            }
            return all;
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const torus::Line line = [](int n) {
            return folded(bine::whole_vector_butterfly(1 << floor_log2(n), n), n);
        };
        return swing::on_ports(q, line, true, [&](const torus::Lines& lines, int first) {
            return torus::whole_vectors(q.shape, lines, first);
        });
    },
};

}  // namespace hopbine::registered
