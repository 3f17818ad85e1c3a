// The choice for neighbourhood collectives: what is asked for, and what the count says.
#include "select/neighborhood.hpp"

#include <gtest/gtest.h>

#include "schedule/problem.hpp"
#include "select/rules.hpp"

using namespace hopbine;
using namespace hopbine::select;

TEST(Neighborhood, ModesAreParsedBesideRules) {
    const Rules rules =
        parse_algorithms("allreduce=ring,neighbor_alltoallv=joined,neighbor_allgather=mpi", "here");
    EXPECT_EQ(rules.rules.size(), 1u);
    EXPECT_EQ(rules.neighbors.alltoallv, NeighborMode::joined);
    EXPECT_EQ(rules.neighbors.allgather, NeighborMode::library);
    EXPECT_EQ(parse_algorithms("allreduce=ring", "here").neighbors.alltoallv,
              NeighborMode::automatic);
    EXPECT_EQ(parse_algorithms("neighbor_alltoallv=direct", "here").neighbors.alltoallv,
              NeighborMode::direct);
}

TEST(Neighborhood, UnknownModesAreNamed) {
    const auto message = [](const char* text) -> std::string {
        try {
            parse_algorithms(text, "here");
        } catch (const Error& e) {
            return e.what();
        }
        return "";
    };
    EXPECT_EQ(message("neighbor_allgather=ring"),
              "here: 'neighbor_allgather=ring': neighbor_allgather has no algorithm 'ring' (known: "
              "mpi, direct, joined)");
    EXPECT_EQ(message("neighbor_allgather"),
              "here: 'neighbor_allgather': neighbor_allgather has no algorithm '' (known: mpi, "
              "direct, joined)");
    EXPECT_EQ(message("neighbor_alltoallw=mpi"),
              "here: 'neighbor_alltoallw=mpi': unknown collective 'neighbor_alltoallw' (known: "
              "neighbor_alltoallv, neighbor_allgather)");
}

TEST(Neighborhood, SingleMessagesAreNeverJoined) {
    const LinkCosts net;
    for (int ranks = 1; ranks < 5; ++ranks) EXPECT_FALSE(joins(1, 1, 1, net));
    EXPECT_FALSE(joins(2, 2, 2, net));  // saves one message, and adds four inside the nodes
    EXPECT_TRUE(joins(16, 4, 4, net));
    LinkCosts slow_nodes;
    slow_nodes.node_latency = 10 * slow_nodes.local_latency;
    EXPECT_FALSE(joins(16, 4, 4, slow_nodes));
}

TEST(Neighborhood, JoinedMessagesWinForFewBytesAndAllgathers) {
    const LinkCosts net;
    const NeighborLoads loads{.direct = 40, .between = 3, .hops = 6, .ranks_per_node = 16};
    EXPECT_LT(joined_seconds(loads, net, 1000, false), direct_seconds(loads, net, 1000));
    EXPECT_GT(joined_seconds(loads, net, 1 << 24, false), direct_seconds(loads, net, 1 << 24));
    EXPECT_LT(joined_seconds(loads, net, 1 << 24, true), direct_seconds(loads, net, 1 << 24));
    const NeighborLoads few{.direct = 3, .between = 2, .hops = 4, .ranks_per_node = 16};
    EXPECT_GT(joined_seconds(few, net, 1000, false), direct_seconds(few, net, 1000));
}
