#include "runtime/neighbor_plan.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace hopbine::mpi {

namespace {

/// A message of the graph between two nodes. `block` is its position at the end in this node.
struct Edge {
    int from, to, block;
};
/// Edges by the other node, sorted by their ranks: equal at both ends.
using Pairs = std::map<int, std::vector<Edge>>;

PairCount count(const std::vector<Edge>& edges) {
    std::set<int> sources, destinations;
    for (const Edge& e : edges) {
        sources.insert(e.from);
        destinations.insert(e.to);
    }
    return {static_cast<int>(edges.size()), static_cast<int>(sources.size()),
            static_cast<int>(destinations.size())};
}

/// A block that stays in its receive buffer until it has been sent on, maybe several times.
BlockRef staying(std::int64_t slot) { return {static_cast<std::int32_t>(slot), true, true}; }

class Planner {
public:
    Planner(int rank, const Units& nodes, std::span<const Neighbors> lists, NeighborBlocks blocks,
            const Joins& joins)
        : nodes_(nodes),
          here_(nodes.of(rank)),
          me_(rank),
          mine_(lists[static_cast<std::size_t>(nodes.index(rank))]),
          same_(blocks == NeighborBlocks::same) {
        for (int m = 0; m < nodes.size(here_); ++m)
            add_edges(nodes.members(here_)[static_cast<std::size_t>(m)],
                      lists[static_cast<std::size_t>(m)]);
        for (Pairs* all : {&out_, &in_}) {
            for (auto& [node, edges] : *all)
                std::ranges::stable_sort(edges, {},
                                         [](const Edge& e) { return std::tuple(e.from, e.to); });
            std::erase_if(*all, [&](const auto& pair) { return !joins(count(pair.second)); });
        }
    }

    NeighborPlan make() {
        send_direct();
        end_step();
        to_leaders();
        end_step();
        between_leaders();
        end_step();
        to_destinations();
        end_step();
        steps_.slots = slots_;
        count_.joined = static_cast<std::int64_t>(out_.size() + in_.size());
        return {{next_plan_number(), nullptr, me_, std::move(steps_)}, count_};
    }

private:
    void add_edges(int rank, const Neighbors& of) {
        for (int i = 0; i < of.outs(); ++i) {
            const int to = of.destinations[static_cast<std::size_t>(i)];
            if (to >= 0 && nodes_.of(to) != here_) out_[nodes_.of(to)].push_back({rank, to, i});
        }
        for (int k = 0; k < of.ins(); ++k) {
            const int i = of.matching(k), from = of.sources[static_cast<std::size_t>(i)];
            if (from >= 0 && nodes_.of(from) != here_)
                in_[nodes_.of(from)].push_back({from, rank, i});
        }
    }

    /// The rank of a node that leads its pair with another one. Pairs are spread over the ranks.
    int leader(int node, int other) const {
        const int n = nodes_.count(), distance = (other - node + n) % n;
        return nodes_.members(node)[static_cast<std::size_t>(distance % nodes_.size(node))];
    }
    bool leads(int other) const { return leader(here_, other) == me_; }

    void end_step() { steps_.bounds.push_back(static_cast<std::uint32_t>(steps_.messages.size())); }
    /// Adds a message, unless it has no blocks.
    void add(Direction direction, int peer, const std::vector<BlockRef>& blocks,
             bool bare = false) {
        if (blocks.empty()) return;
        const auto begin = static_cast<std::uint32_t>(steps_.blocks.size());
        steps_.blocks.insert(steps_.blocks.end(), blocks.begin(), blocks.end());
        steps_.messages.push_back(
            {direction, bare, peer, begin, static_cast<std::uint32_t>(steps_.blocks.size())});
    }
    BlockRef own(int i) const { return {same_ ? 0 : i}; }

    void send_direct() {
        std::int64_t sent = 0, received = 0, direct_sent = 0, direct_received = 0;
        for (int k = 0; k < mine_.ins(); ++k) {
            const int i = mine_.matching(k), from = mine_.sources[static_cast<std::size_t>(i)];
            if (from < 0) continue;
            const bool joined = in_.contains(nodes_.of(from));
            direct_received += nodes_.of(from) != here_;
            received += !joined && nodes_.of(from) != here_;
            if (!joined) add(Direction::recv, from, {BlockRef{i}}, true);
        }
        for (int i = 0; i < mine_.outs(); ++i) {
            const int to = mine_.destinations[static_cast<std::size_t>(i)];
            if (to < 0) continue;
            const bool joined = out_.contains(nodes_.of(to));
            direct_sent += nodes_.of(to) != here_;
            sent += !joined && nodes_.of(to) != here_;
            if (!joined) add(Direction::send, to, {own(i)}, true);
        }
        for (const auto& [node, edges] : out_) sent += leads(node);
        for (const auto& [node, edges] : in_) received += leads(node);
        count_.direct = std::max(direct_sent, direct_received);
        count_.between = std::max(sent, received);
    }

    /// The blocks that a rank of this node gives to a leader, or what `place` makes of them.
    template <class F>
    std::vector<BlockRef> given(int rank, int leading, F&& place) const {
        std::vector<BlockRef> out;
        for (const auto& [node, edges] : out_) {
            if (leader(here_, node) != leading) continue;
            for (const Edge& e : edges)
                if (e.from == rank && !(same_ && !out.empty())) out.push_back(place(e));
        }
        return out;
    }

    void to_leaders() {
        for (const int member : nodes_.members(here_)) {
            if (member == me_) continue;
            const auto arriving = [&](const Edge& e) {
                const BlockRef slot = staying(slots_++);
                given_[{e.from, same_ ? 0 : e.to, same_ ? 0 : e.block}] = slot;
                return slot;
            };
            const auto own_block = [&](const Edge& e) { return own(e.block); };
            const std::vector<BlockRef> in = given(member, me_, arriving),
                                        out = given(me_, member, own_block);
            add(Direction::recv, member, in);
            add(Direction::send, member, out);
            count_.hops += !in.empty() || !out.empty();
        }
    }

    void between_leaders() {
        for (const auto& [node, edges] : in_)
            if (leads(node)) add(Direction::recv, leader(node, here_), arriving(edges));
        for (const auto& [node, edges] : out_)
            if (leads(node)) add(Direction::send, leader(node, here_), leaving(edges));
    }
    std::vector<BlockRef> leaving(const std::vector<Edge>& edges) const {
        std::vector<BlockRef> out;
        for (std::size_t i = 0; i < edges.size(); ++i) {
            const Edge& e = edges[i];
            if (same_ && i > 0 && edges[i - 1].from == e.from) continue;
            out.push_back(e.from == me_
                              ? own(e.block)
                              : given_.at({e.from, same_ ? 0 : e.to, same_ ? 0 : e.block}));
        }
        return out;
    }
    /// Where the blocks of another node go: into this rank's buffer, or a slot to be sent on from.
    std::vector<BlockRef> arriving(const std::vector<Edge>& edges) {
        std::vector<BlockRef> out;
        for (std::size_t i = 0, end = 0; i < edges.size(); i = end) {
            for (end = i + 1; same_ && end < edges.size() && edges[end].from == edges[i].from;)
                ++end;
            const bool here = edges[i].to == me_ && end == i + 1;
            out.push_back(here ? BlockRef{edges[i].block} : staying(slots_++));
            for (std::size_t k = i; k < end && !here; ++k) held_[&edges[k]] = out.back();
        }
        return out;
    }

    void to_destinations() {
        for (const int member : nodes_.members(here_)) {
            std::vector<BlockRef> in, out;
            for (const auto& [node, edges] : in_)
                for (const Edge& e : edges) {
                    const auto held = held_.find(&e);
                    if (leads(node) && e.to == member && held != held_.end())
                        out.push_back(held->second);
                    // From itself a leader receives what it also has for others.
                    if (leader(here_, node) == member && e.to == me_ &&
                        (member != me_ || held != held_.end()))
                        in.push_back({e.block});
                }
            add(Direction::recv, member, in);
            add(Direction::send, member, out);
            count_.hops += !in.empty() || !out.empty();
        }
    }

    const Units& nodes_;
    const int here_, me_;
    const Neighbors& mine_;
    const bool same_;
    Pairs out_, in_;  ///< of the joined pairs, in the end
    SizedSteps steps_;
    NeighborCount count_;
    std::int64_t slots_ = 0;
    std::map<std::tuple<int, int, int>, BlockRef> given_;  ///< slots of blocks to other nodes
    std::map<const Edge*, BlockRef> held_;                 ///< slots of blocks from other nodes
};

}  // namespace

NeighborPlan make_neighbor_plan(int rank, const Units& nodes, std::span<const Neighbors> lists,
                                NeighborBlocks blocks, const Joins& joins) {
    return Planner(rank, nodes, lists, blocks, joins).make();
}

}  // namespace hopbine::mpi
