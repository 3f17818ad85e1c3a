// Bruck: in step k the blocks whose way still to go has bit k set move 2^k ranks on.
#include <bit>

#include "core/algorithm.hpp"
#include "core/numbers.hpp"
#include "core/stepwise.hpp"

namespace hopbine::registered {

Algorithm alltoall_bruck{
    .collective = Collective::alltoall,
    .name = "bruck",
    .summary = "index algorithm, radix 2, log2(p) steps",
    .paper = "Bruck et al. TPDS'97",
    .section = "3",
    .claim = [](const Problem& q) {
        std::int64_t bits = 0;
        for (int way = 1; way < q.p; ++way) bits += std::popcount(static_cast<unsigned>(way));
        return Claim{ceil_log2(q.p), bits * q.p};
    },
    .make = [](const Problem& q) -> SchedulePtr {
        return shifts(
            q.p, ceil_log2(q.p), Mode::copy, [](int k) { return 1 << k; },
            [p = q.p](int rank, int k) {
                std::vector<Block> moving;
                for (int way = 1 << k; way < p; way = (way + 1) | 1 << k) {
                    const int origin = mod(rank - way % (1 << k), p);
                    moving.push_back(Block{origin} * p + mod(origin + way, p));
                }
                return BlockSet::of(std::move(moving));
            });
    },
};

}  // namespace hopbine::registered
