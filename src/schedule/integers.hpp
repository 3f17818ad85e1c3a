/// Small integer arithmetic shared by all algorithms.
#pragma once
#include <bit>
#include <concepts>
#include <cstdint>

namespace hopbine {

/// a mod p in 0..p-1, also for negative a.
constexpr int mod(std::int64_t a, int p) { return static_cast<int>(((a % p) + p) % p); }
constexpr bool power_of_two(int p) { return p > 0 && (p & (p - 1)) == 0; }
/// ceil(log2 p), S in the papers.
constexpr int ceil_log2(int p) { return p <= 1 ? 0 : std::bit_width(static_cast<unsigned>(p - 1)); }
constexpr int floor_log2(int p) { return std::bit_width(static_cast<unsigned>(p)) - 1; }
/// The number whose lowest `bits` bits are those of i in reverse order.
constexpr int bits_reversed(int i, int bits) {
    int out = 0;
    for (int b = 0; b < bits; ++b) out |= (i >> b & 1) << (bits - 1 - b);
    return out;
}
/// a / b rounded up; a >= 0, b > 0.
constexpr auto ceil_div(std::integral auto a, std::integral auto b) { return a / b + (a % b != 0); }

/// floor(i m / n), the start of part i of m items that are divided evenly into n parts. Also the
/// position among m that corresponds to position i among n. Wide operands are split, so that i m
/// cannot overflow.
constexpr std::int64_t proportional(std::integral auto i, std::integral auto n,
                                    std::integral auto m) {
    if constexpr (sizeof i <= 4 && sizeof m <= 4)
        return std::int64_t{i} * m / n;
    else
        return m / n * i + m % n * i / n;
}
/// ceil(i m / n): the first j with proportional(j, m, n) >= i.
constexpr std::int64_t proportional_from(std::integral auto i, std::integral auto n,
                                         std::integral auto m) {
    if constexpr (sizeof i <= 4 && sizeof m <= 4)
        return ceil_div(std::int64_t{i} * m, n);
    else
        return m / n * i + ceil_div(m % n * i, n);
}

/// Start of a part when blocks are each divided evenly into `parts` parts. Block b starts at
/// begin(b); part i of it has the number b parts + i.
template <class Begin>
constexpr std::int64_t part_begin(std::int64_t number, std::int64_t parts, Begin&& begin) {
    const std::int64_t b = number / parts, i = number % parts, first = begin(b);
    return i ? first + proportional(i, parts, begin(b + 1) - first) : first;
}

}  // namespace hopbine
