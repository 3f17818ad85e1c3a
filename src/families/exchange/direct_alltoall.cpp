#include "families/exchange/direct_alltoall.hpp"

#include <algorithm>

#include "combinators/symmetric.hpp"
#include "families/claims.hpp"
#include "schedule/integers.hpp"

namespace hopbine::direct_alltoall {

namespace {

BlockSet block(int p, int origin, int destination) {
    return BlockSet::single(Block{origin} * p + destination);
}

class InRankOrder : public Schedule {
public:
    explicit InRankOrder(int p) : Schedule({.period = 1, .complete = Op::copy}), p_(p) {}
    int steps() const override { return p_ > 1 ? 1 : 0; }
    void moves(int rank, int, Step& out) const override {
        for (int other = 0; other < p_; ++other) {
            if (other == rank) continue;
            out.push_back({Direction::send, Op::copy, other, block(p_, rank, other)});
            out.push_back({Direction::recv, Op::copy, other, block(p_, other, rank)});
        }
    }

private:
    int p_;
};

/// Step s has the messages to rank s.
class ToEachInTurn : public Schedule {
public:
    explicit ToEachInTurn(int p) : Schedule({.complete = Op::copy}), p_(p) {}
    int steps() const override { return p_ > 1 ? p_ : 0; }
    void moves(int rank, int s, Step& out) const override {
        if (rank != s) {
            out.push_back({Direction::send, Op::copy, s, block(p_, rank, s)});
            return;
        }
        for (int other = 0; other < p_; ++other)
            if (other != rank)
                out.push_back({Direction::recv, Op::copy, other, block(p_, other, rank)});
    }

private:
    int p_;
};

class ExclusiveOr : public Schedule {
public:
    explicit ExclusiveOr(int p) : Schedule({.mirrored = true, .complete = Op::copy}), p_(p) {}
    int steps() const override { return p_ - 1; }
    void moves(int rank, int s, Step& out) const override {
        const int peer = rank ^ (s + 1);
        out.push_back({Direction::send, Op::copy, peer, block(p_, rank, peer)});
        out.push_back({Direction::recv, Op::copy, peer, block(p_, peer, rank)});
    }

private:
    int p_;
};

/// The groups of the ranks; one where they are unknown.
Units groups(const Problem& q) {
    return Units(q.placement ? q.placement->group
                             : std::vector<int>(static_cast<std::size_t>(q.p), 0));
}

/// Ranks sorted by group.
std::vector<int> by_group(const Units& groups) {
    std::vector<int> out;
    for (int g = 0; g < groups.count(); ++g)
        out.insert(out.end(), groups.members(g).begin(), groups.members(g).end());
    return out;
}

/// Ranks in an order in which the members of each group are evenly spaced: by (index + 1/2) / size.
std::vector<int> interleaved(const Units& groups) {
    std::vector<int> out = by_group(groups);
    std::ranges::stable_sort(out, [&](int a, int b) {
        const auto key = [&](int rank, int other) {
            return (2 * std::int64_t{groups.index(rank)} + 1) * groups.size(groups.of(other));
        };
        return key(a, b) < key(b, a);
    });
    return out;
}

std::vector<int> inverse(const std::vector<int>& order) {
    std::vector<int> out(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        out[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
    return out;
}

/// Peers of exchange e for any groups.
class Interleaving {
public:
    Interleaving(const Units& groups, int p)
        : p_(p),
          receivers_(by_group(groups)),
          senders_(interleaved(groups)),
          place_(inverse(receivers_)),
          spread_(inverse(senders_)) {}
    int to(int rank, int e) const { return at(receivers_, at(spread_, rank) + e); }
    int from(int rank, int e) const { return at(senders_, at(place_, rank) - e); }

private:
    int at(const std::vector<int>& order, int i) const {
        return order[static_cast<std::size_t>(mod(i, p_))];
    }
    int p_;
    std::vector<int> receivers_, senders_;  ///< ranks by group, and interleaved
    std::vector<int> place_, spread_;       ///< positions of the ranks in these
};

/// Peers for groups of n consecutive ranks. The same for all groups, which the analysis makes use
/// of: in exchange e = d n + j member i sends to member i + j of the group d + i ahead.
class Rotation {
public:
    Rotation(int n, int p) : n_(n), groups_(p / n) {}
    int to(int rank, int e) const {
        const int i = rank % n_;
        return member(rank / n_ + e / n_ + i, i + e % n_);
    }
    int from(int rank, int e) const {
        const int i = mod(rank % n_ - e % n_, n_);
        return member(rank / n_ - e / n_ - i, i);
    }

private:
    int member(int group, int i) const { return mod(group, groups_) * n_ + mod(i, n_); }
    int n_, groups_;
};

template <class Peers>
class Balanced : public Schedule {
public:
    Balanced(Peers peers, Traits traits, int p, int first, std::int64_t batch)
        : Schedule(std::move(traits)),
          peers_(std::move(peers)),
          p_(p),
          first_(first),
          batch_(static_cast<int>(std::clamp<std::int64_t>(batch, 1, p))) {}
    int steps() const override { return ceil_div(p_ - first_, batch_); }
    void moves(int rank, int s, Step& out) const override {
        const int begin = first_ + s * batch_;
        for (int e = begin; e < std::min(p_, begin + batch_); ++e) {
            const int to = peers_.to(rank, e), from = peers_.from(rank, e);
            if (to == rank) continue;
            out.push_back({Direction::send, Op::copy, to, block(p_, rank, to)});
            out.push_back({Direction::recv, Op::copy, from, block(p_, from, rank)});
        }
    }

private:
    Peers peers_;
    int p_, first_, batch_;
};

/// The first exchange: in exchange 0 of plain shifts all ranks would send to themselves.
int first_exchange(const Units& groups, int p) {
    return groups.count() == 1 || groups.count() == p ? 1 : 0;
}

}  // namespace

SchedulePtr balanced(const Problem& q) {
    const Units all = groups(q);
    const int n = all.period(), first = first_exchange(all, q.p);
    const std::int64_t batch = q.get("batch");
    if (n == 0)
        return std::make_shared<Balanced<Interleaving>>(
            Interleaving(all, q.p), Traits{.complete = Op::copy}, q.p, first, batch);
    const int period = all.count() == 1 ? 1 : n;  // plain shifts
    return std::make_shared<Balanced<Rotation>>(
        Rotation(n, q.p), Traits{.period = period, .complete = Op::copy}, q.p, first, batch);
}

Claim balanced_claim(const Problem& q) {
    return claims::all_blocks_once(q, ceil_div(q.p - first_exchange(groups(q), q.p),
                                               std::min<std::int64_t>(q.get("batch"), q.p)));
}

SchedulePtr batches(int p, std::int64_t batch) {
    const auto size = static_cast<int>(std::clamp<std::int64_t>(batch, 1, std::max(1, p - 1)));
    return shifts_of(
        p, ceil_div(p - 1, size), Op::copy, [=](int s) { return std::min(size, p - 1 - s * size); },
        [=](int s, int i) { return s * size + i + 1; },
        [=](int rank, int s, int i) {
            return block(p, rank, mod(std::int64_t{rank} + s * size + i + 1, p));
        },
        [](int, int) { return 1; }, {.complete = Op::copy});
}

SchedulePtr in_rank_order(int p) { return std::make_shared<InRankOrder>(p); }

SchedulePtr to_each_in_turn(int p) { return std::make_shared<ToEachInTurn>(p); }

SchedulePtr exclusive_or(int p) { return std::make_shared<ExclusiveOr>(p); }

}  // namespace hopbine::direct_alltoall
