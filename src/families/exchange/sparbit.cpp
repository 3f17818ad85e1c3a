#include "families/exchange/sparbit.hpp"

#include <bit>

#include "combinators/symmetric.hpp"
#include "schedule/integers.hpp"

namespace hopbine {

SchedulePtr sparbit(int p) {
    // In step i, at distance d = 2^(S-1-i), a rank sends blocks 0, 2d, 4d, ... ranks below it.
    // These are all blocks it has, less the last one if this would wrap around to a rank that has
    // it (p not a power of two).
    const int S = ceil_log2(p);
    std::vector<int> sent;
    const int zeros = p > 1 ? std::countr_zero(static_cast<unsigned>(p)) : 0;
    const unsigned surplus_at = (~(static_cast<unsigned>(p) >> zeros) | 1u) << zeros;
    int held = 1;
    for (int i = 0; i < S; ++i) {
        const unsigned d = 1u << (S - 1 - i);
        const int surplus = (d & surplus_at) == d;
        sent.push_back(held - surplus);
        held = 2 * held - surplus;
    }
    const auto distance = [S](int i) { return 1 << (S - 1 - i); };
    return shifts(
        p, S, Op::copy, distance,
        [p, sent, distance](int rank, int i) {
            std::vector<Block> blocks;
            for (int k = 0; k < sent[static_cast<std::size_t>(i)]; ++k)
                blocks.push_back(mod(rank - std::int64_t{2} * k * distance(i), p));
            return BlockSet::of(std::move(blocks));
        },
        Wire::per_run);
}

}  // namespace hopbine
