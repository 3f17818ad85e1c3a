#include "core/bruck.hpp"

#include <algorithm>

#include "core/numbers.hpp"
#include "core/stepwise.hpp"
#include "core/tree.hpp"

namespace hopbine {

namespace {

/// k^x, the weight of digit x; no larger than p where x is below ceil_log(k, p).
std::int64_t weight(int k, int x) {
    std::int64_t out = 1;
    while (x-- > 0) out *= k;
    return out;
}

/// How many z > 0 there are with z k^x < p, of digits 1 .. k - 1.
int digits(int p, int k, int x) { return static_cast<int>(std::min<std::int64_t>(k - 1, (p - 1) / weight(k, x))); }

}  // namespace

SchedulePtr bruck_index(int p, int k) {
    return shifts_at_once(
        p, ceil_log(k, p), Mode::copy, [=](int x) { return digits(p, k, x); }, [=](int x, int i) { return static_cast<int>((i + 1) * weight(k, x)); },
        [=](int rank, int x, int i) {
            const std::int64_t unit = weight(k, x);
            std::vector<Block> moving;
            for (std::int64_t first = (i + 1) * unit; first < p; first += k * unit)
                for (std::int64_t way = first; way < std::min<std::int64_t>(first + unit, p); ++way) {
                    const int origin = mod(rank - way % unit, p);  // lower digits are gone already
                    moving.push_back(Block{origin} * p + mod(origin + way, p));
                }
            return BlockSet::of(std::move(moving));
        });
}

SchedulePtr bruck_concatenation(int p, int k) {
    return shifts_at_once(
        p, ceil_log(k, p), Mode::copy, [=](int x) { return digits(p, k, x); }, [=](int x, int i) { return static_cast<int>(-(i + 1) * weight(k, x)); },
        [=](int rank, int x, int i) {
            const std::int64_t have = weight(k, x);
            return BlockSet::circular(rank, std::min(have, p - (i + 1) * have), p);
        });
}

}  // namespace hopbine
