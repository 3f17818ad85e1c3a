/// Small integer arithmetic shared by all algorithms.
#pragma once
#include <bit>
#include <cstdint>

namespace hopbine {

/// a mod p in 0..p-1, also for negative a.
constexpr int mod(std::int64_t a, int p) { return static_cast<int>(((a % p) + p) % p); }
constexpr bool power_of_two(int p) { return p > 0 && (p & (p - 1)) == 0; }
/// S = ceil(log2 p).
constexpr int ceil_log2(int p) { return p <= 1 ? 0 : std::bit_width(static_cast<unsigned>(p - 1)); }
constexpr int floor_log2(int p) { return std::bit_width(static_cast<unsigned>(p)) - 1; }

}  // namespace hopbine
