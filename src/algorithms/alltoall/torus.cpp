// Pairwise exchange along one dimension of a torus after the other. Blocks for ranks with the same
// coordinate travel together, so that a rank sends few messages, to ranks on its own rings. The
// message-combining algorithms of the paper do the same in two or three phases.
#include "families/torus/torus_alltoall.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm alltoall_torus{
    .collective = Collective::alltoall,
    .name = "torus",
    .summary = "exchanges along one dimension of a torus after the other, blocks combined",
    .paper = "Suh, Yalamanchili TPDS'98",
    .section = "message combining",
    .follows_shape = true,
    .note = "any extents",
    .claim =
        [](const Problem& q) {
            std::int64_t blocks = 0;
            for (int n : q.shape) blocks += std::int64_t{q.p} * q.p / n * (n - 1);
            return Claim{torus::alltoall_steps(q), blocks};
        },
    .make = [](const Problem& q) -> SchedulePtr { return torus::alltoall(q); },
};

}  // namespace hopbine::registered
