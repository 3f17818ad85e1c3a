/// Steps and blocks that several algorithms claim alike.
#pragma once
#include <bit>

#include "core/algorithm.hpp"
#include "core/numbers.hpp"

namespace hopbine::claims {

/// A tree that passes whole vectors (p blocks) to every rank once, in ceil(log2 p) steps.
inline Claim tree(const Problem& q) { return {ceil_log2(q.p), std::int64_t{q.p - 1} * q.p}; }

/// A tree that passes every block to its rank, each at most ceil(log2 p) times.
inline Claim scattering_tree(const Problem& q) {
    return {ceil_log2(q.p), std::int64_t{q.p - 1} * ceil_log2(q.p), q.p <= 2};
}

/// A binomial tree that does so: block v travels as many hops as v has bits set.
inline Claim binomial_scatter(const Problem& q) {
    std::int64_t hops = 0;
    for (int v = 1; v < q.p; ++v) hops += std::popcount(static_cast<unsigned>(v));
    return {ceil_log2(q.p), hops};
}

/// Whole vectors on a butterfly of 2^floor(log2 p) ranks, the others folded on before and after.
inline Claim folded_butterfly(const Problem& q) {
    const std::int64_t core = std::int64_t{1} << floor_log2(q.p), extra = q.p - core;
    return {floor_log2(q.p) + (extra ? 2 : 0), (core * floor_log2(q.p) + 2 * extra) * q.p};
}

/// The same on a torus, every block in `parts` parts.
inline Claim all_parts_once(const Problem& q, std::int64_t steps, std::int64_t parts, int times) {
    return {steps, times * parts * std::int64_t{q.p} * (q.p - 1)};
}

/// Every rank sends p - 1 blocks in `steps` steps: a reduce_scatter or an allgather without waste.
inline Claim all_blocks_once(const Problem& q, std::int64_t steps) { return {steps, std::int64_t{q.p} * (q.p - 1)}; }

}  // namespace hopbine::claims
