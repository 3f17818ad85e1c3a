#include <algorithm>

#include "families/bine/bine.hpp"
#include "families/claims.hpp"
#include "families/exchange/recursive_multiplying.hpp"
#include "families/hierarchy/hierarchy.hpp"
#include "schedule/integers.hpp"

namespace hopbine::hierarchy {

namespace {

/// Steps of a hierarchy: levels run one after the other, units of a level at the same time. A unit
/// of g ranks takes inner(g) steps, an exchange of k units outer(k).
template <class Inner, class Outer>
std::int64_t depth(const Levels& levels, int p, Inner inner, Outer outer) {
    if (levels.empty()) return inner(p);
    const Units units(levels[0]);
    std::int64_t most = 0;
    for (int u = 0; u < units.count(); ++u)
        most = std::max(most, depth(inside(levels, units.members(u)), units.size(u), inner, outer));
    return most + outer(units.count());
}

int one(int n) { return n > 1; }

}  // namespace

namespace claims {

Claim reduce_scatter(const Problem& q) {
    const auto outer = between(q) == Between::at_once ? one : bine::steps;
    return hopbine::claims::all_blocks_once(q, depth(levels(q), q.p, bine::steps, outer));
}

Claim reduce_scatter_at_once(const Problem& q) {
    return hopbine::claims::all_blocks_once(q, depth(levels(q), q.p, one, one));
}

Claim reduce_scatter_of_nodes(const Problem& q) {
    const Nodes all = nodes(q);
    const auto inner = all.home == Between::at_once ? one : bine::steps;
    return hopbine::claims::all_blocks_once(q, depth(all.levels, q.p, inner, bine::steps));
}

std::int64_t bcast_small_steps(const Levels& levels, int p) {
    return depth(levels, p, ceil_log2, ceil_log2);
}

Claim bcast_small(const Problem& q) {
    return {bcast_small_steps(levels(q), q.p), std::int64_t{q.p - 1} * q.p};
}

Claim bcast_large(const Problem& q) {
    const Levels all = levels(q);
    const std::int64_t blocks = std::int64_t{q.p - 1} * q.p;
    if (all.empty()) return {2 * bine::steps(q.p), blocks};
    const Units units(all[0]);
    const int home = units.of(q.root);
    const std::int64_t scatter =
        depth(inside(all, units.members(home)), units.size(home), ceil_log2, one);
    std::int64_t gather = 0;
    for (int u = 0; u < units.count(); ++u)
        gather = std::max(
            gather, depth(inside(all, units.members(u)), units.size(u), bine::steps, bine::steps));
    return {scatter + 2 * bine::steps(units.count()) + gather, blocks};
}

Claim allreduce_small(const Problem& q, int k) {
    const Levels all = levels(q);
    const auto exchange = [k](int n) {
        return Claim{Division{n, k}.steps(), Division{n, k}.messages()};
    };
    const auto tree = [k](int n) { return ceil_log(k, n); };
    if (all.empty()) return {exchange(q.p).steps, exchange(q.p).blocks * q.p};
    const Units units(all[0]);
    std::int64_t down = 0;
    for (int u = 0; u < units.count(); ++u)
        down = std::max(down, depth(inside(all, units.members(u)), units.size(u), tree, tree));
    const Claim across = exchange(units.count());
    return {2 * down + across.steps, (2 * std::int64_t{q.p - units.count()} + across.blocks) * q.p};
}

Claim scatter(const Problem& q) {
    const std::int64_t steps = depth(levels(q), q.p, ceil_log2, one);
    return {steps, (q.p - 1) * steps, q.p <= 2};
}

}  // namespace claims

}  // namespace hopbine::hierarchy
