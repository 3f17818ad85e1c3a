// Binary tree split in two halves: each takes one half of the vector down, then pairs of ranks, one
// of each half of the tree, exchange theirs. Open MPI's split binary tree.
#include "combinators/combinators.hpp"
#include "combinators/segments.hpp"
#include "combinators/symmetric.hpp"
#include "families/tree/pipelined_trees.hpp"
#include "schedule/integers.hpp"

namespace hopbine::registered {

namespace {

/// The half of the vector that goes down the subtree of v.
BlockSet half_of(int v, int p) {
    const int middle = ceil_div(p, 2);
    return v % 2 ? BlockSet::range(0, middle) : BlockSet::range(middle, p);
}

/// Ranks 2 i - 1 and 2 i exchange their halves. The last rank has no partner if p is even: the root
/// sends it what it lacks.
SchedulePtr exchanged_halves(int p) {
    return exchanges(
        1, Op::copy,
        [p](int rank, int) {
            if (p % 2 == 0 && (rank == 0 || rank == p - 1)) return p - 1 - rank;
            return rank == 0 ? 0 : rank % 2 ? rank + 1 : rank - 1;
        },
        [p](int rank, int) {
            const bool sends = rank > 0 ? p % 2 == 1 || rank < p - 1 : p % 2 == 0;
            return sends ? half_of(rank, p) : BlockSet();
        });
}

}  // namespace

Algorithm bcast_split_binary{
    .collective = Collective::bcast,
    .name = "split_binary",
    .summary = "half of the vector down each half of a binary tree in segments, then an exchange",
    .paper = "MPI libraries",
    .section = "split binary tree",
    .parameters = {segments::parameter},
    .by_name_only = true,
    .claim =
        [](const Problem& q) {
            return segments::claim(q, q.p == 1 ? 0 : kary_steps(q.p, 2) + 1, std::int64_t{q.p - 1});
        },
    .make = [](const Problem& q) -> SchedulePtr {
        SchedulePtr one = tree_walk(std::make_shared<const Tree>(kary(q.p, 2)),
                                    [p = q.p](int child) { return half_of(child, p); });
        if (q.p > 1) one = sequence({one, exchanged_halves(q.p)});
        return rotated(segmented(one, q.p, segments::of(q)), q.p, q.root, false);
    },
};

}  // namespace hopbine::registered
