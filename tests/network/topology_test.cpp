#include "network/topology.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "schedule/problem.hpp"

using namespace hopbine;
using namespace hopbine::network;

namespace {

constexpr double kClose = 1e-9;

const char* const kSpecs[] = {"torus:1",
                              "torus:2",
                              "torus:3",
                              "torus:8",
                              "torus:2x2",
                              "torus:4x4",
                              "torus:8x8",
                              "torus:5x3x2",
                              "torus:1x4x1",
                              "torus:2x3x4x5",
                              "torus:32x16",
                              "hyperx:1",
                              "hyperx:4",
                              "hyperx:1x5",
                              "hyperx:4x3",
                              "hyperx:2x3x4",
                              "hyperx:16x16",
                              "hammingmesh:1x1:1x1",
                              "hammingmesh:1x2:1x1",
                              "hammingmesh:1x1:3x4",
                              "hammingmesh:1x3:2x1",
                              "hammingmesh:2x2:3x2",
                              "hammingmesh:3x3:2x2",
                              "hammingmesh:4x2:3x3",
                              "hammingmesh:4x4:1x3",
                              "hammingmesh:5x6:2x2",
                              "hammingmesh:2x2:16x16",
                              "dragonfly:9x4x2",
                              "dragonfly:5x2x3",
                              "dragonfly:3x2x2:global=4",
                              "dragonfly:2x3x1:global=7",
                              "dragonfly:1x4x2",
                              "dragonfly:4x1x2",
                              "dragonfly:7x3x2:global=5:capacity=0.5",
                              "dragonfly:33x16x8",
                              "dragonfly:1x1x1",
                              "dragonfly_plus:5x2x4x3",
                              "dragonfly_plus:4x2x3x2:global=2",
                              "dragonfly_plus:3x2x2x1:global=5",
                              "dragonfly_plus:1x3x2x2",
                              "dragonfly_plus:2x1x1x1",
                              "dragonfly_plus:9x4x4x4:capacity=2",
                              "fattree:4x4",
                              "fattree:1x8",
                              "fattree:4x4:oversubscription=2",
                              "fattree:1x1x3",
                              "fattree:3x2x4:oversubscription=1.5:core=2",
                              "fattree:8x8x8"};

std::string kind_of(const Topology& t) { return t.name().substr(0, t.name().find(':')); }
bool by_groups(const Topology& t) { return kind_of(t).rfind("dragonfly", 0) == 0; }
int first_extent(const Topology& t) { return std::stoi(t.name().substr(t.name().find(':') + 1)); }
const Link& link(const Topology& t, int l) { return t.links()[static_cast<std::size_t>(l)]; }

/// Group of a vertex; 0 in networks without groups.
int group_of(const Topology& t, int v) {
    if (!by_groups(t)) return 0;
    return v < t.nodes() ? v / (t.nodes() / first_extent(t))
                         : (v - t.nodes()) / (t.switches() / first_extent(t));
}

/// Fewest links from an endpoint to every other, with at most one link between groups. This is
/// minimal routing on dragonflies.
std::vector<int> distances(const Topology& t, int from) {
    const auto vertices = static_cast<std::size_t>(t.nodes() + t.switches());
    std::vector<std::vector<int>> leaving(vertices);
    for (const Link& l : t.links()) leaving[static_cast<std::size_t>(l.from)].push_back(l.to);
    std::vector<int> far(2 * vertices, -1);  // second half: after a link between groups
    std::vector<std::size_t> queue = {static_cast<std::size_t>(from)};
    far[queue[0]] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
        const std::size_t passed = queue[i] / vertices;
        const int v = static_cast<int>(queue[i] % vertices);
        for (int to : leaving[static_cast<std::size_t>(v)]) {
            const std::size_t then = passed + (group_of(t, v) != group_of(t, to)),
                              next = then * vertices + static_cast<std::size_t>(to);
            if (then > 1 || far[next] >= 0) continue;
            far[next] = far[queue[i]] + 1;
            queue.push_back(next);
        }
    }
    std::vector<int> out;
    for (std::size_t v = 0; v < static_cast<std::size_t>(t.nodes()); ++v) {
        const int a = far[v], b = far[v + vertices];
        out.push_back(a < 0 || (b >= 0 && b < a) ? b : a);
    }
    return out;
}

void expect_route(const Topology& t, int from, int to, int distance, const Route& r) {
    std::map<int, double> in, out;
    std::set<int> seen;
    double links = 0, cables = 0;
    for (const Hop& h : r.hops) {
        ASSERT_GE(h.link, 0);
        ASSERT_LT(h.link, static_cast<int>(t.links().size()));
        ASSERT_TRUE(seen.insert(h.link).second) << "link " << h.link << " is listed twice";
        ASSERT_GT(h.share, 0);
        ASSERT_LE(h.share, 1);
        const Link& l = link(t, h.link);
        ASSERT_EQ(out.count(l.to), 0u) << "hops are in the order in which a byte passes them";
        ASSERT_TRUE(l.from == from || in.count(l.from)) << "nothing has come to " << l.from;
        out[l.from] += h.share;
        in[l.to] += h.share;
        links += h.share;
        cables += h.share * l.cable;
    }
    ASSERT_NEAR(links, distance, kClose);
    if (from == to) {
        ASSERT_TRUE(r.hops.empty());
        ASSERT_EQ(r.cables, 0);
        ASSERT_EQ(r.routers, 0);
        return;
    }
    in[from] += 1;
    out[to] += 1;
    ASSERT_EQ(in.size(), out.size());
    for (const auto& [v, share] : in) ASSERT_NEAR(share, out[v], kClose) << "at " << v;
    // A node of a direct network has its own router; the cables to both routers are not links.
    const bool direct =
        link(t, 0).from < t.nodes() && (t.switches() == 0 || kind_of(t) == "hammingmesh");
    ASSERT_NEAR(r.cables, cables + (direct ? 2 : 0), kClose);
    ASSERT_NEAR(r.routers, links + (direct ? 1 : -1), kClose);
}

std::vector<double> loads_of_all_pairs(const Topology& t) {
    std::vector<double> load(t.links().size());
    Route r;
    for (int a = 0; a < t.nodes(); ++a)
        for (int b = 0; b < t.nodes(); ++b) {
            t.route(a, b, r);
            for (const Hop& h : r.hops) load[static_cast<std::size_t>(h.link)] += h.share;
        }
    return load;
}

Route route(const Topology& t, int from, int to) {
    Route out;
    t.route(from, to, out);
    return out;
}

class TopologyOf : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Topology, TopologyOf, testing::ValuesIn(kSpecs));

TEST_P(TopologyOf, IsCountedBeforeItIsMade) {
    EXPECT_EQ(topology_nodes(GetParam()), topology(GetParam())->nodes());
}

TEST_P(TopologyOf, HasLinksBothWays) {
    const auto t = topology(GetParam());
    EXPECT_EQ(t->name(), GetParam());
    std::map<std::pair<int, int>, Link> between;
    for (const Link& l : t->links()) {
        ASSERT_GE(std::min(l.from, l.to), 0);
        ASSERT_LT(std::max(l.from, l.to), t->nodes() + t->switches());
        ASSERT_NE(l.from, l.to);
        ASSERT_TRUE(std::isfinite(l.capacity) && l.capacity > 0);
        ASSERT_TRUE(l.cable == 0 || l.cable == 1);
        ASSERT_TRUE(between.emplace(std::pair(l.from, l.to), l).second)
            << "two links from " << l.from << " to " << l.to;
    }
    for (const auto& [ends, l] : between) {
        const auto back = between.find({ends.second, ends.first});
        ASSERT_NE(back, between.end());
        ASSERT_EQ(back->second.capacity, l.capacity);
        ASSERT_EQ(back->second.cable, l.cable);
    }
}

TEST_P(TopologyOf, RoutesAreMinimalFlows) {
    const auto t = topology(GetParam());
    std::mt19937 random(7);
    const auto any = [&] { return static_cast<int>(random() % static_cast<unsigned>(t->nodes())); };
    const bool small = t->nodes() <= 144;
    Route r;
    for (int i = 0; i < (small ? t->nodes() : 12); ++i) {
        const int from = small ? i : any();
        const auto far = distances(*t, from);
        for (int j = 0; j < (small ? t->nodes() : 200); ++j) {
            const int to = small ? j : any();
            t->route(from, to, r);
            ASSERT_NO_FATAL_FAILURE(
                expect_route(*t, from, to, far[static_cast<std::size_t>(to)], r))
                << from << " to " << to;
        }
    }
}

TEST_P(TopologyOf, ShapeHoldsAllNodes) {
    const auto t = topology(GetParam());
    std::int64_t nodes = 1;
    for (int n : t->shape()) nodes *= n;
    EXPECT_EQ(nodes, t->nodes());
    EXPECT_GE(t->ports(), 1);
}

TEST(Topology, UniformTrafficLoadsALinksOfADimensionAlike) {
    for (const char* spec :
         {"torus:8x8", "torus:5x3x2", "torus:4x4x4", "torus:2x6", "hyperx:4x3x2"}) {
        const auto t = topology(spec);
        const auto load = loads_of_all_pairs(*t);
        const auto shape = t->shape();
        std::map<std::size_t, double> of;
        for (std::size_t l = 0; l < load.size(); ++l) {
            int stride = t->nodes();
            std::size_t d = 0;
            for (; d < shape.size(); ++d) {
                stride /= shape[d];
                if (t->links()[l].from / stride % shape[d] != t->links()[l].to / stride % shape[d])
                    break;
            }
            ASSERT_NEAR(load[l], of.emplace(d, load[l]).first->second, kClose) << spec;
        }
    }
    for (double load : loads_of_all_pairs(*topology("torus:8x8")))
        ASSERT_NEAR(load, 64, kClose);  // 8 * 64 * 16 hops in a dimension on 128 links
}

TEST(Topology, Torus) {
    const auto t = topology("torus:8x4x2x1");
    EXPECT_EQ(t->nodes(), 64);
    EXPECT_EQ(t->switches(), 0);
    EXPECT_EQ(t->links().size(), 64u * 5);
    EXPECT_EQ(t->shape(), (std::vector<int>{8, 4, 2, 1}));
    EXPECT_EQ(t->ports(), 6);
    const Route across = route(*t, 0, 1);
    ASSERT_EQ(across.hops.size(), 1u);
    EXPECT_EQ(link(*t, across.hops[0].link).capacity, 2);
    const Route r =
        route(*t, 0, 4 * 8 + 2);  // four hops in the first dimension, in either direction; then one
    EXPECT_EQ(r.hops.size(), 9u);
    EXPECT_EQ(r.hops[0].share, 0.5);
    EXPECT_EQ(link(*t, r.hops[0].link).to, 8);
    EXPECT_EQ(link(*t, r.hops[4].link).to, 56);
    EXPECT_EQ(link(*t, r.hops[8].link).from, 32);
    EXPECT_EQ(r.cables, 7);
    EXPECT_EQ(r.routers, 6);
}

TEST(Topology, HyperX) {
    const auto t = topology("hyperx:64x64");
    EXPECT_EQ(t->links().size(), 516096u);
    EXPECT_EQ(t->ports(), 126);
    const Route r = route(*t, 5, 64 * 63 + 7);
    ASSERT_EQ(r.hops.size(), 2u);
    EXPECT_EQ(link(*t, r.hops[0].link).to, 64 * 63 + 5);
    EXPECT_EQ(r.cables, 4);
    EXPECT_EQ(r.routers, 3);
}

TEST(Topology, HammingMesh) {
    const auto t = topology("hammingmesh:2x2:32x32");
    EXPECT_EQ(t->nodes(), 4096);
    EXPECT_EQ(t->switches(), 128);
    EXPECT_EQ(t->links().size(), 3u * 2 * 4096);
    EXPECT_EQ(t->shape(), (std::vector<int>{64, 64}));
    EXPECT_EQ(t->ports(), 4);
    const Route board =
        route(*t, 0, 1);  // a trace: only the cables between nodes and their routers count
    EXPECT_EQ(board.cables, 2);
    EXPECT_EQ(board.routers, 2);
    const Route boards = route(*t, 1, 2 * 64 + 7);
    EXPECT_EQ(boards.hops.size(), 4u);
    EXPECT_EQ(boards.cables, 6);
    EXPECT_EQ(boards.routers, 5);

    const auto wide = topology("hammingmesh:1x5:1x2");  // columns of one node have no switches
    EXPECT_EQ(wide->switches(), 1);
    EXPECT_EQ(route(*wide, 0, 2).hops.size(), 2u);
    EXPECT_EQ(route(*wide, 0, 4).hops.size(), 2u);  // out by one edge, in by the other
    const Route tie = route(*wide, 0, 3);           // on the board, or through the switch
    EXPECT_EQ(tie.hops.size(), 6u);
    EXPECT_EQ(tie.cables, 3);
    const Route middle = route(*wide, 2, 7);
    EXPECT_EQ(middle.hops.size(), 12u);
    EXPECT_EQ(middle.cables, 4);
    EXPECT_EQ(middle.routers, 7);

    EXPECT_EQ(link(*topology("hammingmesh:1x1:4x4"), 0).capacity, 2);
}

TEST(Topology, DragonflyCablesAreSpreadEvenly) {
    const auto t =
        topology("dragonfly:5x6x2:global=3");  // 18 cables to 4 groups: 4 to each, 16 in use
    std::map<std::pair<int, int>, double> cables;
    std::map<int, double> of_router;
    for (const Link& l : t->links()) {
        const int a = group_of(*t, l.from), b = group_of(*t, l.to);
        if (a == b) continue;
        cables[{a, b}] += l.capacity;
        of_router[l.from] += l.capacity;
    }
    EXPECT_EQ(cables.size(), 20u);
    for (const auto& [pair, n] : cables) EXPECT_EQ(n, 4);
    EXPECT_EQ(of_router.size(), 30u);
    for (const auto& [router, n] : of_router) EXPECT_TRUE(n == 2 || n == 3) << router;
    // The fewest that reach all: 2 of each of 4 routers for 8 groups.
    EXPECT_EQ(topology("dragonfly:9x4x2")->links().size(), 9u * (2 * 8 + 4 * 3 + 8));
}

TEST(Topology, DragonflyTakesTheFewestLinks) {
    const auto t =
        topology("dragonfly:2x2x1:global=1:capacity=3");  // router 0 has a cable to router 0 of the
                                                          // other group, router 1 to router 1
    const Route r = route(*t, 0, 2);
    EXPECT_EQ(r.hops.size(), 3u);
    EXPECT_EQ(link(*t, r.hops[1].link).capacity, 3);
    EXPECT_EQ(r.cables, 3);
    EXPECT_EQ(r.routers, 2);
    const Route both = route(*t, 0, 3);  // over either cable
    EXPECT_EQ(both.hops.size(), 6u);
    EXPECT_EQ(both.hops[1].share, 0.5);
    EXPECT_EQ(both.cables, 4);
}

TEST(Topology, DragonflyPlus) {
    const auto t = topology("dragonfly_plus:3x2x4x2");
    EXPECT_EQ(t->nodes(), 12);
    EXPECT_EQ(t->switches(), 18);
    EXPECT_EQ(t->links().size(), 2u * 12 + 2 * 3 * 2 * 4 + 3 * 2 * 4);
    EXPECT_EQ(route(*t, 0, 1).cables, 2);
    EXPECT_EQ(route(*t, 0, 2).cables, 4);
    const Route r = route(*t, 0, 11);
    EXPECT_EQ(r.hops.size(), 2u + 3 * 4);
    EXPECT_EQ(r.hops[1].share, 0.25);
    EXPECT_EQ(r.cables, 5);
    EXPECT_EQ(r.routers, 4);
    // Five cables on two spines are three and two, and the shares are the same.
    const auto odd = topology("dragonfly_plus:2x1x2x1:global=5");
    std::multiset<double> shares;
    for (const Hop& h : route(*odd, 0, 1).hops) shares.insert(h.share);
    EXPECT_EQ(shares, (std::multiset<double>{0.4, 0.4, 0.4, 0.6, 0.6, 0.6, 1, 1}));
}

TEST(Topology, FatTree) {
    const auto two = topology("fattree:4x8:oversubscription=2");
    EXPECT_EQ(two->switches(), 5);
    EXPECT_EQ(route(*two, 0, 7).cables, 2);
    const Route r = route(*two, 0, 8);
    ASSERT_EQ(r.hops.size(), 4u);
    EXPECT_EQ(link(*two, r.hops[0].link).capacity, 1);
    EXPECT_EQ(link(*two, r.hops[1].link).capacity, 4);
    EXPECT_EQ(r.routers, 3);

    const auto three = topology("fattree:2x4x8:oversubscription=2:core=4");
    EXPECT_EQ(three->switches(), 8 + 2 + 1);
    const Route far = route(*three, 0, 63);
    ASSERT_EQ(far.hops.size(), 6u);
    EXPECT_EQ(link(*three, far.hops[2].link).capacity,
              4);  // 4 leaves with 4 cables each, a quarter of them
    EXPECT_EQ(far.cables, 6);
    EXPECT_EQ(far.routers, 5);
}

}  // namespace
