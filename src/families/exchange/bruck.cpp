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

namespace {

/// Blocks that a rank sends for value z of digit x.
BlockSet moving(int p, int k, int rank, int x, int z) {
    std::vector<Block> out;
    each_way(p, k, x, z, [&](int gone, int direction) {
        const int origin = mod(rank - gone, p);
        out.push_back(Block{origin} * p + mod(origin + direction, p));
    });
    return BlockSet::of(std::move(out));
}

}  // namespace

SchedulePtr bruck_index(int p, int k) {
    return shifts_of(
        p, ceil_log(k, p), Op::copy, [=](int x) { return digit_values(p, k, x); },
        [=](int x, int i) { return static_cast<int>((i + 1) * digit_weight(k, x)); },
        [=](int rank, int x, int i) { return moving(p, k, rank, x, i + 1); },
        [=](int x, int i) { return ways(p, k, x, i + 1); }, {});
}

int bruck_rounds(int p, int k) {
    int rounds = 0;
    for (int x = 0; x < ceil_log(k, p); ++x) rounds += digit_values(p, k, x);
    return rounds;
}

SchedulePtr bruck_index_by_rounds(int p, int k) {
    struct Round {
        int x, z;
    };
    std::vector<Round> all;
    for (int x = 0; x < ceil_log(k, p); ++x)
        for (int z = 1; z <= digit_values(p, k, x); ++z) all.push_back({x, z});
    const auto steps = static_cast<int>(all.size());
    const auto round = [all = std::make_shared<const std::vector<Round>>(std::move(all))](int s) {
        return (*all)[static_cast<std::size_t>(s)];
    };
    return shifts_of(
        p, steps, Op::copy, [](int) { return 1; },
        [=](int s, int) { return static_cast<int>(round(s).z * digit_weight(k, round(s).x)); },
        [=](int rank, int s, int) { return moving(p, k, rank, round(s).x, round(s).z); },
        [=](int s, int) { return ways(p, k, round(s).x, round(s).z); }, {});
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
