/// Steps and blocks that several algorithms claim alike.
#pragma once
#include "families/tree/tree.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/integers.hpp"

namespace hopbine::claims {

/// A tree that passes whole vectors (p blocks) to every rank once, in ceil(log2 p) steps.
inline Claim tree(const Problem& q) { return {ceil_log2(q.p), std::int64_t{q.p - 1} * q.p}; }

/// A tree that passes every block to its rank, each at most ceil(log2 p) times.
inline Claim scattering_tree(const Problem& q) {
    return {ceil_log2(q.p), std::int64_t{q.p - 1} * ceil_log2(q.p), q.p <= 2};
}

/// A k-nomial tree that does so: block v travels as many hops as v has digits to base k that are
/// not 0.
inline Claim knomial_scatter(int p, int k) {
    std::int64_t hops = 0;
    for (int v = 1; v < p; ++v)
        for (int rest = v; rest > 0; rest /= k) hops += rest % k != 0;
    return {ceil_log(k, p), hops};
}

/// An alltoall in which the way of every block is gone digit by digit: a rank's block that has v to
/// go makes the hops of block v in such a tree.
inline Claim bruck_index(int p, int k) {
    const Claim one = knomial_scatter(p, k);
    return {one.steps, one.blocks * p};
}

/// A binomial tree that does so.
inline Claim binomial_scatter(const Problem& q) { return knomial_scatter(q.p, 2); }

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
inline Claim all_blocks_once(const Problem& q, std::int64_t steps) {
    return {steps, std::int64_t{q.p} * (q.p - 1)};
}

}  // namespace hopbine::claims
