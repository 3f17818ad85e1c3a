// Bruck: in step k every rank sends all it has, at most the first p - 2^k blocks, 2^k ranks down.
#include <algorithm>

#include "core/algorithm.hpp"
#include "core/claims.hpp"
#include "core/stepwise.hpp"

namespace hopbine::registered {

Algorithm allgather_bruck{
    .collective = Collective::allgather,
    .name = "bruck",
    .summary = "concatenation in log2(p) steps for any p",
    .paper = "Bruck et al. TPDS'97",
    .section = "4",
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, ceil_log2(q.p)); },
    .make = [](const Problem& q) -> SchedulePtr {
        return shifts(
            q.p, ceil_log2(q.p), Mode::copy, [](int k) { return -(1 << k); },
            [p = q.p](int rank, int k) { return BlockSet::circular(rank, std::min(1 << k, p - (1 << k)), p); });
    },
};

}  // namespace hopbine::registered
