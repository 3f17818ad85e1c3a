#include "families/exchange/bruck.hpp"

#include "combinators/symmetric.hpp"
#include "families/tree/tree.hpp"
#include "schedule/integers.hpp"

namespace hopbine {

std::int64_t digit_weight(int k, int x) {
    std::int64_t out = 1;
    while (x-- > 0) out *= k;
    return out;
}

int digit_values(int p, int k, int x) {
    return static_cast<int>(std::min<std::int64_t>(k - 1, (p - 1) / digit_weight(k, x)));
}

std::int64_t ways(int p, int k, int x, int z) {
    const std::int64_t unit = digit_weight(k, x), round = k * unit;
    return p / round * unit + std::clamp<std::int64_t>(p % round - z * unit, 0, unit);
}

SchedulePtr bruck_index(int p, int k) {
    return shifts_of(
        p, ceil_log(k, p), Op::copy, [=](int x) { return digit_values(p, k, x); },
        [=](int x, int i) { return static_cast<int>((i + 1) * digit_weight(k, x)); },
        [=](int rank, int x, int i) {
            std::vector<Block> moving;
            each_way(p, k, x, i + 1, [&](int gone, int direction) {
                const int origin = mod(rank - gone, p);
                moving.push_back(Block{origin} * p + mod(origin + direction, p));
            });
            return BlockSet::of(std::move(moving));
        },
        [=](int x, int i) { return ways(p, k, x, i + 1); }, {});
}

SchedulePtr bruck_concatenation(int p, int k) {
    return shifts_at_once(
        p, ceil_log(k, p), Op::copy, [=](int x) { return digit_values(p, k, x); },
        [=](int x, int i) { return static_cast<int>(-(i + 1) * digit_weight(k, x)); },
        [=](int rank, int x, int i) {
            const std::int64_t have = digit_weight(k, x);
            return BlockSet::circular(rank, std::min(have, p - (i + 1) * have), p);
        });
}

}  // namespace hopbine
