// The paper's allreduce for nodes with several GPUs (Sec. 6.2): a reduce_scatter among the ranks of
// a node, which all exchange at once; Bine between nodes, among ranks with the same index; an
// allgather at home. Where nodes have unequal numbers of ranks, Units::holder balances their load.
#include "combinators/combinators.hpp"
#include "combinators/segments.hpp"
#include "families/hierarchy/hierarchy.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::registered {

Algorithm allreduce_bine_by_node{
    .collective = Collective::allreduce,
    .name = "bine_by_node",
    .summary = "all ranks of a node at once, Bine between nodes, and back",
    .paper = "Bine SC'25",
    .section = "6.2",
    .needs_commutative = true,
    .parameters = {segments::bytes_parameter},
    .follows_placement = true,
    .note = "any p, any number of ranks per node; groups play no part",
    .claim =
        [](const Problem& q) {
            const Claim half = hierarchy::claims::reduce_scatter_of_nodes(q);
            return segments::claim_of(segments::by_bytes(q), q, 2 * half.steps,
                                      2 * half.blocks / q.p);
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const auto [levels, home] = hierarchy::nodes(q);
        const auto between = hierarchy::Between::butterfly;
        return segmented(sequence({hierarchy::reduce_scatter(levels, q.p, between, home),
                                   hierarchy::allgather(levels, q.p, between, home)}),
                         q.p, segments::by_bytes(q));
    },
};

}  // namespace hopbine::registered
