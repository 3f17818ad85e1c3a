#include "families/exchange/pat.hpp"

#include <algorithm>
#include <bit>

#include "combinators/symmetric.hpp"
#include "schedule/integers.hpp"

namespace hopbine::pat {

namespace {

/// The messages of a step: blocks of origins first + m apart ranks behind, m = 0, 1, ..., go
/// `distance` ranks ahead.
struct Hop {
    int first, apart, distance;
    /// Number of these blocks; those that would pass the rank before the origin stay.
    int blocks(int p) const { return ceil_div(std::max(0, p - distance - first), apart); }
};

/// Distance of the ranks that all have a block before it goes to those between them.
int gap(int p, int trees) { return (1 << ceil_log2(p)) / trees; }

Hop hop(int p, int trees, int s) {
    const int far = ceil_log2(trees);
    if (s < far) {
        const int distance = 1 << (ceil_log2(p) - 1 - s);
        return {0, 2 * distance, distance};
    }
    const int place = s - far + 1, distance = place & -place;
    return {place - distance, gap(p, trees), distance};
}

}  // namespace

int steps(int p, int trees) { return ceil_log2(trees) + std::min(gap(p, trees), p) - 1; }

int trees(const Problem& q) {
    const auto allowed = static_cast<unsigned>(std::min<std::int64_t>(q.get("batch"), 1 << 30));
    return static_cast<int>(std::min(std::bit_floor(allowed), 1u << ceil_log2(q.p)));
}

SchedulePtr allgather(int p, int trees) {
    return shifts_of(
        p, steps(p, trees), Op::copy, [](int) { return 1; },
        [=](int s, int) { return hop(p, trees, s).distance; },
        [=](int rank, int s, int) {
            const Hop now = hop(p, trees, s);
            std::vector<Block> blocks;
            for (int m = 0; m < now.blocks(p); ++m)
                blocks.push_back(mod(std::int64_t{rank} - now.first - m * now.apart, p));
            return BlockSet::of(std::move(blocks));
        },
        [=](int s, int) { return hop(p, trees, s).blocks(p); }, {});
}

}  // namespace hopbine::pat
