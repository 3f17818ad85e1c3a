#include "families/hierarchy/parlinna.hpp"

#include <map>

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

/// Whether blocks for other nodes go straight there; "explicit" is a parameter of alltoallv.
bool goes_straight(const Problem& q) {
    return q.collective == Collective::alltoallv && q.get("explicit") != 0;
}

class ParLinNa : public Schedule {
public:
    explicit ParLinNa(const Problem& q)
        : Schedule({.period = nodes(q).period()}),
          p_(q.p),
          nodes_(nodes(q)),
          straight_(goes_straight(q)),
          staggered_(straight_ || q.get("staggered") != 0),
          batch_(q.get("batch")) {
        std::map<int, std::int64_t> nodes_of_size;
        for (int n = 0; n < nodes_.count(); ++n) {
            ++nodes_of_size[nodes_.size(n)];
            radix_.push_back(radix::r(q, nodes_.size(n)));
            inside_ = std::max(inside_, ceil_log(radix_.back(), nodes_.size(n)));
            largest_ = std::max(largest_, nodes_.size(n));
        }
        for (const auto& [size, times] : nodes_of_size)
            destined_[size] = straight_
                                  ? std::vector<std::int64_t>(static_cast<std::size_t>(size), 1)
                                  : destinations(size, nodes_of_size);
    }

    int steps() const override { return inside_ + static_cast<int>(ceil_div(exchanges(), batch_)); }

    void moves(int rank, int s, Step& out) const override {
        if (s < inside_) return inside(rank, s, out);
        each_across(rank, s, [&](Direction direction, int peer, int n, int which, int d) {
            std::vector<Block> blocks;
            for (int i = 0; i < nodes_.size(n); ++i)
                if (!staggered_ || i == which) blocks.push_back(block(member(n, i), d));
            out.push_back({direction, Op::copy, peer, BlockSet::of(std::move(blocks))});
        });
    }

protected:
    void count(int rank, int s, MoveSizes& out) const override {
        each_across(rank, s, [&](Direction direction, int peer, int n, int, int) {
            out.push_back({direction, Op::copy, peer, staggered_ ? 1 : nodes_.size(n)});
        });
        each_inside(rank, s, [&](Direction direction, int peer, int from, int z) {
            const int n = nodes_.of(rank), members = nodes_.size(n),
                      r = radix_[static_cast<std::size_t>(n)];
            const std::vector<std::int64_t>& destined = destined_.at(members);
            std::int64_t blocks = 0;
            each_way(members, r, s, z, [&](int gone, int way) {
                blocks += destined[static_cast<std::size_t>(mod(from - gone + way, members))];
            });
            if (blocks > 0) out.push_back({direction, Op::copy, peer, blocks});
        });
    }
    bool count_all(int rank, MoveSizes& out) const override {
        for (int s = 0; s < inside_; ++s) count(rank, s, out);
        if (straight_) {
            for (int s = inside_; s < steps(); ++s) count(rank, s, out);
            return true;
        }
        const int n = nodes_.of(rank);
        const auto exchange = [&](Direction direction, int peer, int from) {
            const std::int64_t members = nodes_.size(from);
            out.push_back({direction, Op::copy, peer, members, staggered_ ? members : 1});
        };
        for (int other = 0; other < nodes_.count(); ++other) {
            if (other == n) continue;
            each_carried(n, nodes_.index(rank), other,
                         [&](int d) { exchange(Direction::send, d, n); });
            exchange(Direction::recv, member(other, carrier(other, rank)), other);
        }
        return true;
    }

private:
    /// Calls f(destination) for the ranks of node `other` whose blocks the rank with this index
    /// carries on node n.
    template <class F>
    void each_carried(int n, int index, int other, F&& f) const {
        for (int k = index; k < nodes_.size(other); k += nodes_.size(n)) f(member(other, k));
    }
    /// Number of destinations whose blocks the ranks of a node of this size carry, by their index.
    static std::vector<std::int64_t> destinations(
        int members, const std::map<int, std::int64_t>& nodes_of_size) {
        std::vector<std::int64_t> out(static_cast<std::size_t>(members), 0);
        for (const auto& [size, times] : nodes_of_size)
            for (int index = 0; index < std::min(members, size); ++index)
                out[static_cast<std::size_t>(index)] += times * ceil_div(size - index, members);
        return out;
    }
    /// The index on node n of the rank that carries blocks for `destination`.
    int carrier(int n, int destination) const { return nodes_.index(destination) % nodes_.size(n); }
    int member(int n, int index) const {
        return nodes_.members(n)[static_cast<std::size_t>(index)];
    }
    /// Exchanges of a rank, in sequence. One per other node, or, staggered or straight, as many per
    /// node as the largest node has ranks.
    std::int64_t exchanges() const {
        return std::int64_t{nodes_.count() - 1} * (staggered_ ? largest_ : 1);
    }
    Block block(int origin, int destination) const { return Block{origin} * p_ + destination; }

    /// Calls f(direction, peer, index of the sender, z) for the messages of a rank for digit x.
    template <class F>
    void each_inside(int rank, int x, F&& f) const {
        const int n = nodes_.of(rank), members = nodes_.size(n), me = nodes_.index(rank),
                  r = radix_[static_cast<std::size_t>(n)];
        if (x >= inside_ || x >= ceil_log(r, members)) return;
        for (int z = 1; z <= digit_values(members, r, x); ++z) {
            const int distance = static_cast<int>(z * digit_weight(r, x)),
                      to = mod(me + distance, members), from = mod(me - distance, members);
            f(Direction::send, member(n, to), me, z);
            f(Direction::recv, member(n, from), from, z);
        }
    }
    void inside(int rank, int x, Step& out) const {
        each_inside(rank, x, [&](Direction direction, int peer, int from, int z) {
            out.push_back({direction, Op::copy, peer, moving(nodes_.of(rank), from, x, z)});
        });
    }

    /// Blocks that the rank with this index sends for value z of digit x.
    BlockSet moving(int n, int index, int x, int z) const {
        const int members = nodes_.size(n);
        std::vector<Block> out;
        each_way(members, radix_[static_cast<std::size_t>(n)], x, z, [&](int gone, int direction) {
            const int origin = mod(index - gone, members),
                      carrier = mod(origin + direction, members);
            if (straight_) {
                out.push_back(block(member(n, origin), member(n, carrier)));
                return;
            }
            for (int other = 0; other < nodes_.count(); ++other)
                each_carried(n, carrier, other,
                             [&](int d) { out.push_back(block(member(n, origin), d)); });
        });
        return BlockSet::of(std::move(out));
    }

    /// The messages of a rank of its own blocks, for the exchange `which` with each of two nodes:
    /// the ranks of a node begin with different ranks of the other.
    template <class F>
    void each_straight(int rank, int there, int back, int which, F&& f) const {
        const int n = nodes_.of(rank), me = nodes_.index(rank),
                  to = mod(std::int64_t{me} + which, largest_),
                  from = mod(std::int64_t{me} - which, largest_);
        if (to < nodes_.size(there))
            f(Direction::send, member(there, to), n, me, member(there, to));
        if (from < nodes_.size(back)) f(Direction::recv, member(back, from), back, from, rank);
    }

    /// Calls f(direction, peer, n, which, destination) for the messages of a rank between nodes in
    /// step s, with blocks of the ranks of node n for one destination. Coalesced, a message has the
    /// blocks of all these ranks; staggered, that of rank `which`, if there is one.
    template <class F>
    void each_across(int rank, int s, F&& f) const {
        if (s < inside_) return;
        const std::int64_t first = (s - inside_) * batch_;
        const int all = nodes_.count(), others = all - 1, n = nodes_.of(rank);
        for (std::int64_t e = first; e < std::min(first + batch_, exchanges()); ++e) {
            const int distance = static_cast<int>(e % others) + 1,
                      which = static_cast<int>(e / others), there = mod(n + distance, all),
                      back = mod(n - distance, all);
            if (straight_) {
                each_straight(rank, there, back, which, f);
                continue;
            }
            if (!staggered_ || which < nodes_.size(n))
                each_carried(n, nodes_.index(rank), there,
                             [&](int d) { f(Direction::send, d, n, which, d); });
            if (!staggered_ || which < nodes_.size(back))
                f(Direction::recv, member(back, carrier(back, rank)), back, which, rank);
        }
    }

    int p_;
    Units nodes_;
    bool straight_, staggered_;
    std::int64_t batch_;
    int inside_ = 0, largest_ = 0;
    std::vector<int> radix_;                             ///< per node
    std::map<int, std::vector<std::int64_t>> destined_;  ///< destinations() by size
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
        out.blocks +=
            inside.blocks * (goes_straight(q) ? members : q.p) + members * (q.p - members);
        largest = std::max(largest, all.size(n));
    }
    const std::int64_t exchanges = std::int64_t{all.count() - 1} *
                                   (goes_straight(q) || q.get("staggered") ? largest : 1),
                       batch = q.get("batch");
    out.steps += ceil_div(exchanges, batch);
    return out;
}

}  // namespace hopbine::parlinna
