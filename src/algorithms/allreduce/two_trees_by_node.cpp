// NCCL's trees: segments up and down chains inside the nodes and two binary trees between them. On
// each channel these are those of other ranks of the nodes.
#include "combinators/combinators.hpp"
#include "combinators/segments.hpp"
#include "families/hierarchy/node_channels.hpp"
#include "families/torus/torus.hpp"

namespace hopbine::registered {

Algorithm allreduce_two_trees_by_node{
    .collective = Collective::allreduce,
    .name = "two_trees_by_node",
    .summary = "segments up and down chains in nodes and two edge-disjoint trees between them",
    .paper = "NCCL",
    .section = "src/graph/trees.cc",
    .needs_commutative = true,
    .parameters = {hierarchy::channels_of_nodes, segments::parameter},
    .follows_placement = true,
    .note = "any p, any number of ranks per node",
    .claim =
        [](const Problem& q) {
            return segments::claim(q, 2 * hierarchy::chains_below_trees_steps(q),
                                   2 * std::int64_t{q.p - 1}, 2 * hierarchy::node_channels(q));
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const int pairs = hierarchy::node_channels(q);
        std::vector<torus::Ordered> trees;
        for (int c = 0; c < pairs; ++c)
            for (bool other : {false, true})
                trees.push_back({tree_bcast(hierarchy::chains_below_trees(q, other), 0),
                                 hierarchy::node_by_node(q, c, pairs)});
        const SchedulePtr down = torus::on_channels(std::move(trees), Collective::bcast, q.p);
        return segmented(sequence({reversed(down, Op::reduce), down}), q.p, segments::of(q));
    },
};

}  // namespace hopbine::registered
