// Runs the plans of all ranks on random graphs: every edge's block arrives once, where the standard
// puts it, and joined nodes exchange one message.
#include "runtime/neighbor_plan.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <optional>
#include <random>
#include <set>

using namespace hopbine;
using namespace hopbine::mpi;

namespace {

/// The block with this index of rank `from`; index 0 where all neighbours get the same.
struct OwnBlock {
    int from, index;
    auto operator<=>(const OwnBlock&) const = default;
};
using Graph = std::vector<Neighbors>;
using Pair = std::pair<int, int>;

/// A directed graph with edges that are there several times, loops, missing neighbours and ranks
/// without any.
Graph random_graph(std::mt19937& random, int p) {
    Graph out(static_cast<std::size_t>(p));
    const auto edges = static_cast<int>(random() % (4 * static_cast<unsigned>(p)));
    std::set<int> alone;
    if (p > 2) alone.insert(static_cast<int>(random()) % p);
    for (int e = 0; e < edges; ++e) {
        const auto from = static_cast<int>(random() % static_cast<unsigned>(p)),
                   to = static_cast<int>(random() % static_cast<unsigned>(p));
        if (alone.contains(from) || alone.contains(to)) continue;
        for (unsigned times = random() % 8 ? 1 : 2; times > 0; --times) {
            out[static_cast<std::size_t>(from)].destinations.push_back(to);
            out[static_cast<std::size_t>(to)].sources.push_back(from);
        }
        if (random() % 9 == 0) out[static_cast<std::size_t>(from)].destinations.push_back(-2);
        if (random() % 9 == 0) out[static_cast<std::size_t>(to)].sources.push_back(-2);
    }
    return out;
}

/// A grid, periodic in some dimensions: with one or two ranks in a dimension neighbours repeat.
Graph grid(std::mt19937& random, const std::vector<int>& shape) {
    int p = 1;
    for (int n : shape) p *= n;
    Graph out(static_cast<std::size_t>(p));
    int stride = p;
    for (const int n : shape) {
        stride /= n;
        const bool periodic = random() % 2;
        for (int r = 0; r < p; ++r) {
            const int at = r / stride % n;
            for (const int step : {-1, 1}) {
                const int to = at + step;
                const bool none = !periodic && (to < 0 || to >= n);
                const int rank = none ? -2 : r + ((to + n) % n - at) * stride;
                out[static_cast<std::size_t>(r)].sources.push_back(rank);
                out[static_cast<std::size_t>(r)].destinations.push_back(rank);
                out[static_cast<std::size_t>(r)].cartesian = true;
            }
        }
    }
    return out;
}

/// What each rank must receive: the k-th block from one rank to another is received as the k-th.
std::vector<std::map<int, OwnBlock>> expected(const Graph& graph, bool same) {
    std::map<Pair, std::deque<int>> sent;
    for (int r = 0; r < static_cast<int>(graph.size()); ++r) {
        const Neighbors& one = graph[static_cast<std::size_t>(r)];
        for (int i = 0; i < one.outs(); ++i)
            sent[{r, one.destinations[static_cast<std::size_t>(i)]}].push_back(same ? 0 : i);
    }
    std::vector<std::map<int, OwnBlock>> out(graph.size());
    for (int r = 0; r < static_cast<int>(graph.size()); ++r) {
        const Neighbors& one = graph[static_cast<std::size_t>(r)];
        for (int k = 0; k < one.ins(); ++k) {
            const int i = one.cartesian ? (k % 2 ? k - 1 : k + 1) : k,
                      from = one.sources[static_cast<std::size_t>(i)];
            if (from < 0) continue;
            auto& queue = sent.at({from, r});
            out[static_cast<std::size_t>(r)][i] = {from, queue.front()};
            queue.pop_front();
        }
    }
    return out;
}

/// All ranks in step: messages of a pair of ranks match in the order in which they are posted.
class Ranks {
public:
    Ranks(const Units& nodes, std::vector<NeighborPlan> plans)
        : nodes_(nodes), plans_(std::move(plans)), slots_(plans_.size()), received(plans_.size()) {}

    void run() {
        each([&](int r, const SizedSteps& plan) { send(r, plan, 0, plan.bounds[0]); });
        for (std::size_t s = 0; s < 3; ++s) {
            each([&](int r, const SizedSteps& p) { send(r, p, p.bounds[s], p.bounds[s + 1]); });
            // Direct messages are received whenever they come: here before the first step ends.
            if (s == 0) each([&](int r, const SizedSteps& p) { receive(r, p, 0, p.bounds[0]); });
            each([&](int r, const SizedSteps& p) { receive(r, p, p.bounds[s], p.bounds[s + 1]); });
            for (const auto& [pair, queue] : network_) ASSERT_TRUE(queue.empty());
        }
    }

private:
    struct Sent {
        bool bare;
        std::vector<OwnBlock> blocks;
    };
    template <class F>
    void each(F&& f) {
        for (int r = 0; r < static_cast<int>(plans_.size()); ++r)
            f(r, plans_[static_cast<std::size_t>(r)].plan.sized());
    }
    void send(int r, const SizedSteps& plan, std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t m = begin; m < end; ++m) {
            const SizedMessage& l = plan.messages[m];
            if (l.direction != Direction::send) continue;
            Sent out{l.bare, {}};
            for (std::uint32_t i = l.begin; i < l.end; ++i) {
                const BlockRef ref = plan.blocks[i];
                out.blocks.push_back(ref.in_transit
                                         ? slots_[static_cast<std::size_t>(r)].at(ref.slot())
                                         : OwnBlock{r, ref.at});
            }
            const Pair nodes{nodes_.of(r), nodes_.of(l.peer)};
            if (nodes.first != nodes.second) {
                ++messages[nodes];
                for (const OwnBlock& v : out.blocks) ++crossed[{nodes, v}];
            }
            network_[{r, l.peer}].push_back(std::move(out));
        }
    }
    void receive(int r, const SizedSteps& plan, std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t m = begin; m < end; ++m) {
            const SizedMessage& l = plan.messages[m];
            if (l.direction != Direction::recv) continue;
            auto& queue = network_[{l.peer, r}];
            ASSERT_FALSE(queue.empty());
            const Sent in = queue.front();
            queue.pop_front();
            ASSERT_EQ(in.bare, l.bare);
            ASSERT_EQ(in.blocks.size(), l.end - l.begin);
            for (std::uint32_t i = l.begin; i < l.end; ++i) {
                const BlockRef ref = plan.blocks[i];
                const OwnBlock& v = in.blocks[i - l.begin];
                if (ref.in_transit) {
                    ASSERT_LT(std::int64_t{ref.at}, plan.slots);
                    ASSERT_TRUE(slots_[static_cast<std::size_t>(r)].emplace(ref.slot(), v).second);
                } else {
                    ASSERT_TRUE(received[static_cast<std::size_t>(r)].emplace(ref.at, v).second)
                        << "block " << ref.at << " of rank " << r << " arrives twice";
                }
            }
        }
    }

    const Units& nodes_;
    std::vector<NeighborPlan> plans_;
    std::map<Pair, std::deque<Sent>> network_;
    std::vector<std::map<std::size_t, OwnBlock>> slots_;

public:
    std::vector<std::map<int, OwnBlock>> received;
    std::map<Pair, int> messages;                      ///< between nodes
    std::map<std::pair<Pair, OwnBlock>, int> crossed;  ///< times that a block goes between nodes
};

Ranks run(const Graph& graph, const Units& nodes, NeighborBlocks blocks, const Joins& joins) {
    std::vector<NeighborPlan> plans;
    for (int r = 0; r < static_cast<int>(graph.size()); ++r) {
        std::vector<Neighbors> lists;
        for (const int m : nodes.members(nodes.of(r)))
            lists.push_back(graph[static_cast<std::size_t>(m)]);
        plans.push_back(make_neighbor_plan(r, nodes, lists, blocks, joins));
    }
    Ranks out(nodes, std::move(plans));
    out.run();
    return out;
}

void prove(const Graph& graph, const Units& nodes, std::mt19937& random) {
    const int least = static_cast<int>(random() % 5);
    const Joins policies[] = {[](const PairCount&) { return true; },
                              [](const PairCount&) { return false; },
                              [&](const PairCount& c) { return c.messages >= least; },
                              [&](const PairCount& c) { return c.sources * 2 > c.destinations; }};
    for (const NeighborBlocks blocks : {NeighborBlocks::each, NeighborBlocks::same})
        for (const Joins& joins : policies) {
            const bool always = &joins == &policies[0];
            const Ranks ranks = run(graph, nodes, blocks, joins);
            ASSERT_EQ(ranks.received, expected(graph, blocks == NeighborBlocks::same));
            for (const auto& [pair, times] : ranks.messages) ASSERT_TRUE(!always || times == 1);
            for (const auto& [block, times] : ranks.crossed) ASSERT_TRUE(!always || times == 1);
        }
}

Units random_nodes(std::mt19937& random, int p) {
    std::vector<int> node;
    const unsigned most = 1 + random() % static_cast<unsigned>(p);
    for (int r = 0; r < p; ++r) node.push_back(static_cast<int>(random() % most));
    return Units(node);
}

}  // namespace

TEST(NeighborPlan, BlocksOfRandomGraphsArriveOnce) {
    std::mt19937 random(5);
    for (int round = 0; round < 1500; ++round) {
        const int p = 1 + static_cast<int>(random() % 20);
        const Graph graph = random_graph(random, p);
        prove(graph, random_nodes(random, p), random);
        if (HasFatalFailure()) FAIL() << "round " << round;
    }
}

TEST(NeighborPlan, BlocksOfGridsArriveFromTheOtherDirection) {
    std::mt19937 random(6);
    const std::vector<int> shapes[] = {{1}, {2}, {5}, {1, 2}, {2, 2}, {3, 2}, {1, 1}, {2, 3, 2}};
    for (const std::vector<int>& shape : shapes)
        for (int round = 0; round < 40; ++round) {
            const Graph graph = grid(random, shape);
            prove(graph, random_nodes(random, static_cast<int>(graph.size())), random);
            if (HasFatalFailure()) FAIL() << "round " << round;
        }
}

TEST(NeighborPlan, CountsTheMessagesOfARank) {
    // Ranks 0 and 1 on one node each send to ranks 2 and 3 on another.
    Graph graph(4);
    for (std::size_t r : {0, 1}) graph[r].destinations = {2, 3};
    for (std::size_t r : {2, 3}) graph[r].sources = {0, 1};
    const Units nodes({0, 0, 1, 1});
    const std::vector<Neighbors> here(graph.begin(), graph.begin() + 2);
    const auto joined = [](const PairCount& c) {
        EXPECT_EQ(c.messages, 4);
        EXPECT_EQ(c.sources, 2);
        EXPECT_EQ(c.destinations, 2);
        return true;
    };
    std::int64_t between = 0;
    for (int r : {0, 1}) {
        const NeighborCount count =
            make_neighbor_plan(r, nodes, here, NeighborBlocks::each, joined).count;
        EXPECT_EQ(count.direct, 2);
        EXPECT_EQ(count.hops, 1);
        EXPECT_EQ(count.joined, 1);
        between += count.between;
    }
    EXPECT_EQ(between, 1);
}
