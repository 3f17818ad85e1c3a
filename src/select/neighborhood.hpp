/// The choice for neighbourhood collectives: what the user asks for, and what joined messages save.
///
/// They are no rows of the table of collectives: what is sent depends on the program's graph, not
/// on the number of ranks alone. MPI_Neighbor_alltoall and its relatives are called
/// neighbor_alltoallv, MPI_Neighbor_allgather and its relatives neighbor_allgather.
#pragma once
#include <cstdint>
#include <string>

#include "select/link_costs.hpp"

namespace hopbine::select {

/// What serves them. `automatic`: the user asks for none of the others.
enum class NeighborMode : std::uint8_t { automatic, library, direct, joined };

struct NeighborModes {
    NeighborMode alltoallv = NeighborMode::automatic, allgather = NeighborMode::automatic;
};

/// Parses "neighbor_alltoallv=joined" or another name and mode. False: it is about another
/// collective. Throws Error naming what is allowed.
bool parse_neighbors(const std::string& text, NeighborModes* out);

/// Whether the messages of one node to another are joined: `messages` from so many of its ranks to
/// so many of the other's. Compares the latencies of all messages with those of one between the
/// nodes, and one inside a node for every rank.
bool joins(std::int64_t messages, std::int64_t sources, std::int64_t destinations,
           const LinkCosts& net);

/// Messages of the ranks that send or receive most.
struct NeighborLoads {
    std::int64_t direct = 0;   ///< to other nodes if none are joined
    std::int64_t between = 0;  ///< to other nodes
    std::int64_t hops = 0;     ///< to and from the ranks of its node that join them
    std::int64_t ranks_per_node = 1;
};

/// Modelled seconds of a call in which no rank sends more than `bytes`. `same`: every rank sends
/// the same block to all neighbours, and joined messages have it once.
double direct_seconds(const NeighborLoads& loads, const LinkCosts& net, double bytes);
double joined_seconds(const NeighborLoads& loads, const LinkCosts& net, double bytes, bool same);

}  // namespace hopbine::select
