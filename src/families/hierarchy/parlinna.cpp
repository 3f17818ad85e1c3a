#include "families/hierarchy/parlinna.hpp"

#include "families/claims.hpp"
#include "families/exchange/bruck.hpp"
#include "families/hierarchy/hierarchy.hpp"
#include "families/radix.hpp"

namespace hopbine::parlinna {

namespace {

std::vector<int> unit_of_ranks(const Problem& q) {
    const auto levels = hierarchy::levels(q);
    const bool choice =
        std::ranges::any_of(q.parameters, [](const auto& x) { return x.first == "groups"; });
    if (choice && !levels.empty()) return q.get("groups") ? levels.front() : levels.back();
    if (!choice && q.placement) return q.placement->node;
    return std::vector<int>(static_cast<std::size_t>(q.p), 0);
}

Units nodes(const Problem& q) { return Units(unit_of_ranks(q)); }

class ParLinNa : public Schedule {
public:
    explicit ParLinNa(const Problem& q)
        : Schedule({.period = nodes(q).period()}),
          p_(q.p),
          nodes_(nodes(q)),
          staggered_(q.get("staggered") != 0),
          batch_(q.get("batch")) {
        for (int n = 0; n < nodes_.count(); ++n) {
            radix_.push_back(radix::r(q, nodes_.size(n)));
            inside_ = std::max(inside_, ceil_log(radix_.back(), nodes_.size(n)));
            largest_ = std::max(largest_, nodes_.size(n));
        }
        // Destinations of every carrier on a node: ranks of other nodes, and itself.
        for (int n = 0; n < nodes_.count(); ++n) {
            carried_.emplace_back(static_cast<std::size_t>(nodes_.size(n)));
            for (int d = 0; d < p_; ++d)
                carried_.back()[static_cast<std::size_t>(carrier(n, d))].push_back(d);
        }
    }

    int steps() const override { return inside_ + static_cast<int>(ceil_div(exchanges(), batch_)); }

    void moves(int rank, int s, Step& out) const override {
        if (s < inside_) return inside(rank, s, out);
        const std::int64_t first = (s - inside_) * batch_;
        for (std::int64_t e = first; e < std::min(first + batch_, exchanges()); ++e)
            across(rank, e, out);
    }

private:
    /// The index on node n of the rank that carries blocks for `destination`.
    int carrier(int n, int destination) const { return nodes_.index(destination) % nodes_.size(n); }
    int member(int n, int index) const {
        return nodes_.members(n)[static_cast<std::size_t>(index)];
    }
    /// Exchanges of a rank, in sequence. One per other node, or, staggered, as many per node as the
    /// largest node has ranks.
    std::int64_t exchanges() const {
        return std::int64_t{nodes_.count() - 1} * (staggered_ ? largest_ : 1);
    }
    Block block(int origin, int destination) const { return Block{origin} * p_ + destination; }

    void inside(int rank, int x, Step& out) const {
        const int n = nodes_.of(rank), members = nodes_.size(n), me = nodes_.index(rank),
                  r = radix_[static_cast<std::size_t>(n)];
        if (x >= ceil_log(r, members)) return;
        for (int z = 1; z <= digit_values(members, r, x); ++z) {
            const int distance = static_cast<int>(z * digit_weight(r, x)),
                      to = mod(me + distance, members), from = mod(me - distance, members);
            out.push_back({Direction::send, Op::copy, member(n, to), moving(n, me, x, z)});
            out.push_back({Direction::recv, Op::copy, member(n, from), moving(n, from, x, z)});
        }
    }

    /// Blocks that the rank with this index sends for value z of digit x.
    BlockSet moving(int n, int index, int x, int z) const {
        const int members = nodes_.size(n);
        std::vector<Block> out;
        each_way(members, radix_[static_cast<std::size_t>(n)], x, z, [&](int gone, int direction) {
            const int origin = mod(index - gone, members);
            for (int d : carried_[static_cast<std::size_t>(n)]
                                 [static_cast<std::size_t>(mod(origin + direction, members))])
                out.push_back(block(member(n, origin), d));
        });
        return BlockSet::of(std::move(out));
    }

    void across(int rank, std::int64_t exchange, Step& out) const {
        const int others = nodes_.count() - 1, n = nodes_.of(rank),
                  distance = static_cast<int>(exchange % others) + 1,
                  which = static_cast<int>(exchange / others);
        const int there = mod(n + distance, nodes_.count()),
                  back = mod(n - distance, nodes_.count());
        for (int d : nodes_.members(there))
            if (carrier(n, d) == nodes_.index(rank)) message(Direction::send, d, n, which, d, out);
        message(Direction::recv, member(back, carrier(back, rank)), back, which, rank, out);
    }

    /// Appends the message with blocks of the ranks of node n for one destination. Coalesced, it
    /// has the blocks of all these ranks; staggered, that of rank `which`, if there is one.
    void message(Direction direction, int peer, int n, int which, int destination,
                 Step& out) const {
        std::vector<Block> blocks;
        for (int i = 0; i < nodes_.size(n); ++i)
            if (!staggered_ || i == which) blocks.push_back(block(member(n, i), destination));
        if (!blocks.empty())
            out.push_back({direction, Op::copy, peer, BlockSet::of(std::move(blocks))});
    }

    int p_;
    Units nodes_;
    bool staggered_;
    std::int64_t batch_;
    int inside_ = 0, largest_ = 0;
    std::vector<int> radix_;  ///< per node
    std::vector<std::vector<std::vector<int>>>
        carried_;  ///< destinations of a carrier, by node and index
};

}  // namespace

SchedulePtr alltoall(const Problem& q) { return std::make_shared<ParLinNa>(q); }

Claim claim(const Problem& q) {
    const Units all = nodes(q);
    Claim out{0, 0};
    int largest = 0;
    for (int n = 0; n < all.count(); ++n) {
        const std::int64_t members = all.size(n);
        // Every rank of the node has p blocks, and all have the same number for a given carrier.
        const Claim inside = claims::knomial_scatter(all.size(n), radix::r(q, all.size(n)));
        out.steps = std::max(out.steps, inside.steps);
        out.blocks += inside.blocks * q.p + members * (q.p - members);
        largest = std::max(largest, all.size(n));
    }
    const std::int64_t exchanges =
                           std::int64_t{all.count() - 1} * (q.get("staggered") ? largest : 1),
                       batch = q.get("batch");
    out.steps += ceil_div(exchanges, batch);
    return out;
}

}  // namespace hopbine::parlinna
