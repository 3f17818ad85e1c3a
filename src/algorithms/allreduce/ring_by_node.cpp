// Rings node by node, one per network card, as NCCL has them: each enters a node at another rank.
#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/hierarchy/node_channels.hpp"
#include "families/ring/ring.hpp"
#include "families/torus/torus.hpp"

namespace hopbine::registered {

Algorithm allreduce_ring_by_node{
    .collective = Collective::allreduce,
    .name = "ring_by_node",
    .summary = "rings that pass node by node, each through other cards of the nodes",
    .paper = "NCCL",
    .section = "src/graph/rings.cc",
    .needs_commutative = true,
    .parameters = {hierarchy::channels_of_nodes},
    .follows_placement = true,
    .note = "any p, any number of ranks per node",
    .claim =
        [](const Problem& q) {
            return claims::all_parts_once(q, 2 * (q.p - 1), hierarchy::node_channels(q), 2);
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const int all = hierarchy::node_channels(q);
        const SchedulePtr both = sequence({ring_reduce_scatter(q.p), ring_allgather(q.p)});
        std::vector<torus::Ordered> rings;
        for (int c = 0; c < all; ++c) rings.push_back({both, hierarchy::node_by_node(q, c, all)});
        return torus::on_channels(std::move(rings), q.collective, q.p);
    },
};

}  // namespace hopbine::registered
