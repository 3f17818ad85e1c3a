/// Claims shared by several algorithms.
#pragma once
#include "families/tree/tree.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/integers.hpp"

namespace hopbine::claims {

/// A tree that sends the whole vector (p blocks) to every rank once, in ceil(log2 p) steps.
inline Claim tree(const Problem& q) { return {ceil_log2(q.p), std::int64_t{q.p - 1} * q.p}; }

/// A scatter tree in which a block takes at most ceil(log2 p) hops.
inline Claim scattering_tree(const Problem& q) {
    return {ceil_log2(q.p), std::int64_t{q.p - 1} * ceil_log2(q.p), q.p <= 2};
}

/// A k-nomial scatter tree. Block v takes one hop per nonzero base-k digit of v.
inline Claim knomial_scatter(int p, int k) {
    std::int64_t hops = 0;
    for (int v = 1; v < p; ++v)
        for (int rest = v; rest > 0; rest /= k) hops += rest % k != 0;
    return {ceil_log(k, p), hops};
}

/// Bruck's index algorithm. A block at distance v takes one hop per nonzero base-k digit of v.
inline Claim bruck_index(int p, int k) {
    const Claim one = knomial_scatter(p, k);
    return {one.steps, one.blocks * p};
}

/// A binomial scatter tree.
inline Claim binomial_scatter(const Problem& q) { return knomial_scatter(q.p, 2); }

/// Whole vectors on a butterfly of 2^floor(log2 p) ranks, with the other ranks folded.
inline Claim folded_butterfly(const Problem& q) {
    const std::int64_t core = std::int64_t{1} << floor_log2(q.p), extra = q.p - core;
    return {floor_log2(q.p) + (extra ? 2 : 0), (core * floor_log2(q.p) + 2 * extra) * q.p};
}

/// p (p - 1) blocks sent `times` times, each in `parts` parts, as on tori.
inline Claim all_parts_once(const Problem& q, std::int64_t steps, std::int64_t parts, int times) {
    return {steps, times * parts * std::int64_t{q.p} * (q.p - 1)};
}

/// Every rank sends p - 1 blocks in `steps` steps, the least for a reduce_scatter or an allgather.
inline Claim all_blocks_once(const Problem& q, std::int64_t steps) {
    return {steps, std::int64_t{q.p} * (q.p - 1)};
}

}  // namespace hopbine::claims
