// Hierarchical reduce_scatter and allgather for nonblocking calls. The reduce_scatter inside the
// innermost units is one step of short messages, which go on while the program computes. Then
// segments follow one another, so that messages between units and those of the allgather inside
// are in flight at the same time.
#include <algorithm>
#include <vector>

#include "combinators/combinators.hpp"
#include "combinators/segments.hpp"
#include "families/hierarchy/hierarchy.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

namespace {

/// Number of segments: 8 where a rank has up to 8 partners in a step, fewer where it has more. With
/// 4 and with 16 the emulated cluster of docs/nonblocking.md, where it has 5, took longer.
int segments_of(const hierarchy::Levels& levels) {
    constexpr int kMost = 8, kMessages = 64;
    if (levels.empty()) return 1;
    int partners = Units(levels.front()).count();
    const Units inner(levels.back());
    for (int u = 0; u < inner.count(); ++u) partners = std::max(partners, inner.size(u));
    return std::clamp(kMessages / partners, 1, kMost);
}

/// A schedule for each segment. Where shares differ, other ranks have the largest in each.
std::vector<SchedulePtr> in_turns(const SchedulePtr& one, const hierarchy::Levels& levels) {
    if (levels.empty()) return {one};
    const auto units = std::make_shared<const Units>(levels.back());
    const int n = segments_of(levels);
    std::vector<SchedulePtr> out;
    for (int k = 0; k < n; ++k) out.push_back(rotated_within(one, units, k));
    return out;
}

}  // namespace

Algorithm allreduce_hierarchical_overlapped{
    .collective = Collective::allreduce,
    .name = "hierarchical_overlapped",
    .summary = "hierarchical reduce_scatter and allgather; one step inside, then segments",
    .paper = "hopbine",
    .section = "docs/design.md, hierarchies",
    .needs_commutative = true,
    .follows_placement = true,
    .beside_computation = true,
    .note =
        "any p, any number of ranks per node and nodes per group; moves the least between groups "
        "that a reduce_scatter and an allgather can",
    .claim =
        [](const Problem& q) {
            const Claim half = hierarchy::claims::reduce_scatter_at_once(q);
            return segments::claim_of(segments_of(hierarchy::levels(q)), q, 2 * half.steps,
                                      2 * std::int64_t{q.p - 1});
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const auto levels = hierarchy::levels(q);
        const auto all = hierarchy::Between::at_once;
        const SchedulePtr one = sequence({hierarchy::reduce_scatter(levels, q.p, all, all),
                                          hierarchy::allgather(levels, q.p, all, all)});
        return segmented(in_turns(one, levels), q.p, 1);
    },
};

}  // namespace hopbine::registered
