/// Kinds of values that the check replays a schedule with: each can refute something else.
///
/// of(rank) is the contribution of a rank, first(n) the result of the first n ranks, add(other,
/// left) combines two values, `other` on the left or on the right; false: they must not be.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace hopbine::values {

/// Exact multiset of contributions, for p <= 64. Counts saturate at 255, far above any duplicate.
struct Counts {
    std::array<std::uint8_t, 64> n{};
    static Counts of(int rank) {
        Counts c;
        c.n[static_cast<std::size_t>(rank)] = 1;
        return c;
    }
    static Counts first(int n) {
        Counts c;
        std::fill_n(c.n.begin(), n, std::uint8_t{1});
        return c;
    }
    bool add(const Counts& other, bool) {
        for (std::size_t i = 0; i < n.size(); ++i)
            n[i] = static_cast<std::uint8_t>(std::min(255, n[i] + other.n[i]));
        return true;
    }
    bool operator==(const Counts&) const = default;
};

/// Sum of random 64-bit weights, one per rank. A wrong multiset passes with probability 2^-64.
struct Weights {
    std::uint64_t sum = 0;
    static std::uint64_t weight(int rank) {
        return std::mt19937_64(0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(rank))();
    }
    static Weights of(int rank) { return {weight(rank)}; }
    static Weights first(int n) {
        Weights w;
        for (int r = 0; r < n; ++r) w.sum += weight(r);
        return w;
    }
    bool add(const Weights& other, bool) {
        sum += other.sum;
        return true;
    }
    bool operator==(const Weights&) const = default;
};

/// The interval of ranks reduced so far. A non-commutative operation may combine only neighbours.
struct Ordered {
    int lo = 0, hi = 0;
    static Ordered of(int rank) { return {rank, rank + 1}; }
    static Ordered first(int n) { return {0, n}; }
    bool add(const Ordered& other, bool other_left) {
        if (other_left ? other.hi != lo : hi != other.lo) return false;
        (other_left ? lo : hi) = other_left ? other.lo : other.hi;
        return true;
    }
    bool operator==(const Ordered&) const = default;
};

/// Association of a sum. Equal values mean equal bits under any rounding: a + b = b + a, but (a +
/// b) + c is not a + (b + c).
struct Association {
    std::uint64_t tree = 0;
    static Association of(int rank) { return {Weights::weight(rank)}; }
    static Association first(int) { return {}; }
    bool add(const Association& other, bool) {
        const std::uint64_t low = std::min(tree, other.tree), high = std::max(tree, other.tree);
        tree = mixed(mixed(low) + high);
        return true;
    }
    bool operator==(const Association&) const = default;
    /// The finaliser of SplitMix64 (Steele, Lea, Flood OOPSLA'14).
    static std::uint64_t mixed(std::uint64_t x) {
        x += 0x9E3779B97F4A7C15u;
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
        x = (x ^ x >> 27) * 0x94D049BB133111EBu;
        return x ^ x >> 31;
    }
};

/// The ranks that a rank knows to have arrived at a barrier. Unlike in a sum, hearing of one twice
/// is no mistake.
struct Arrivals {
    std::vector<std::uint64_t> known;  ///< a bit for each rank; the last word is not zero
    static Arrivals of(int rank) {
        Arrivals a;
        a.known.resize(static_cast<std::size_t>(rank) / 64 + 1);
        a.known.back() = std::uint64_t{1} << rank % 64;
        return a;
    }
    static Arrivals first(int n) {
        Arrivals a;
        for (int r = 0; r < n; r += 64)
            a.known.push_back(n - r >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (n - r)) - 1);
        return a;
    }
    bool add(const Arrivals& other, bool) {
        known.resize(std::max(known.size(), other.known.size()));
        for (std::size_t i = 0; i < other.known.size(); ++i) known[i] |= other.known[i];
        return true;
    }
    bool operator==(const Arrivals&) const = default;
};

}  // namespace hopbine::values
