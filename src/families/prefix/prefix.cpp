#include "families/prefix/prefix.hpp"

#include <algorithm>
#include <numeric>

#include "combinators/combinators.hpp"
#include "combinators/subset.hpp"
#include "families/exchange/bruck.hpp"
#include "families/tree/tree.hpp"

namespace hopbine::prefix {

namespace {

class Doubling : public Schedule {
public:
    Doubling(int p, int k, int blocks) : p_(p), k_(k), blocks_(blocks), steps_(ceil_log(k, p)) {}
    int steps() const override { return steps_; }
    void moves(int rank, int s, Step& out) const override {
        const std::int64_t distance = digit_weight(k_, s);
        const BlockSet whole = BlockSet::range(0, blocks_);
        for (int z = 1; z <= digit_values(p_, k_, s); ++z) {
            const std::int64_t to = rank + z * distance, from = rank - z * distance;
            if (to < p_) out.push_back({Direction::send, Op::reduce, static_cast<int>(to), whole});
            if (from >= 0)
                out.push_back({Direction::recv, Op::reduce, static_cast<int>(from), whole});
        }
    }

private:
    int p_, k_, blocks_, steps_;
};

class Chain : public Schedule {
public:
    Chain(int p, int blocks) : p_(p), blocks_(blocks) {}
    int steps() const override { return std::max(p_ - 1, 0); }
    void moves(int rank, int s, Step& out) const override {
        const BlockSet whole = BlockSet::range(0, blocks_);
        if (rank == s) out.push_back({Direction::send, Op::reduce, s + 1, whole});
        if (rank == s + 1) out.push_back({Direction::recv, Op::reduce, s, whole});
    }

protected:
    bool count_all(int rank, MoveSizes& out) const override {
        if (rank > 0) out.push_back({Direction::recv, Op::reduce, rank - 1, blocks_});
        if (rank + 1 < p_) out.push_back({Direction::send, Op::reduce, rank + 1, blocks_});
        return true;
    }

private:
    int p_, blocks_;
};

/// One step in which every rank hands its contribution to the next.
class HandOn : public Schedule {
public:
    explicit HandOn(int p) : p_(p) {}
    int steps() const override { return 1; }
    void moves(int rank, int, Step& out) const override {
        const BlockSet whole = BlockSet::range(0, p_);
        if (rank + 1 < p_)
            out.push_back({Direction::send, Op::copy, rank + 1, whole, 0, Source::own});
        if (rank > 0) out.push_back({Direction::recv, Op::copy, rank - 1, whole});
    }

protected:
    bool count_all(int rank, MoveSizes& out) const override {
        count(rank, 0, out);
        return true;
    }

private:
    int p_;
};

/// A broadcast from rank 0 that every receiver reduces into its result. What it received is what it
/// sends on.
class SpreadOut : public Schedule {
public:
    SpreadOut(SchedulePtr bcast, int p) : bcast_(std::move(bcast)) {
        Step now;
        for (int r = 0; r < p; ++r) {
            for (int s = 0; s < bcast_->steps(); ++s) bcast_->moves(r, s, now);
            forwards_.push_back(std::ranges::any_of(
                now, [](const Move& m) { return m.direction == Direction::send; }));
            now.clear();
        }
    }
    int steps() const override { return bcast_->steps(); }
    void moves(int rank, int s, Step& out) const override {
        const std::size_t before = out.size();
        bcast_->moves(rank, s, out);
        for (std::size_t i = before; i < out.size(); ++i) {
            out[i].op = Op::reduce;
            if (out[i].direction == Direction::recv)
                out[i].keeps = forwards_[static_cast<std::size_t>(rank)];
            else if (rank > 0)
                out[i].source = Source::kept;
        }
    }

private:
    SchedulePtr bcast_;
    std::vector<bool> forwards_;
};

/// Splits units into runs of consecutive ranks, on every level. Levels that then separate nothing
/// are left out.
hierarchy::Levels consecutive(const hierarchy::Levels& levels) {
    hierarchy::Levels out;
    std::vector<bool> begins;
    for (const std::vector<int>& level : levels) {
        begins.resize(level.size());
        std::vector<int> runs;
        for (std::size_t r = 0; r < level.size(); ++r) {
            if (r > 0 && level[r] != level[r - 1]) begins[r] = true;
            runs.push_back((r > 0 ? runs.back() : 0) + begins[r]);
        }
        const int count = runs.back() + 1;
        if (count > 1 && count < static_cast<int>(level.size())) out.push_back(std::move(runs));
    }
    return out;
}

/// The members of a unit but for the last, which has its result before the others.
std::span<const int> all_but_last(const Units& units, int u) {
    return units.members(u).first(static_cast<std::size_t>(units.size(u) - 1));
}

/// Broadcast from rank 0 along binomial trees between the first ranks of units, then inside the
/// units. Ranks send to higher ones only: what they send on is the left operand there.
SchedulePtr upwards(const hierarchy::Levels& levels, int p) {
    if (levels.empty()) return tree_bcast(binomial_halving(p), 0);
    const Units units(levels[0]);
    std::vector<int> first;
    std::vector<Subset> inner;
    for (int u = 0; u < units.count(); ++u) {
        const std::span<const int> members = units.members(u);
        first.push_back(members.front());
        inner.push_back({upwards(hierarchy::inside(levels, members), units.size(u)),
                         {members.begin(), members.end()}});
    }
    return sequence({on_subset(tree_bcast(binomial_halving(units.count()), 0), std::move(first), p),
                     side_by_side(std::move(inner), p)});
}

/// Hands the result of the last rank of the unit before to those of a unit that lack it.
Subset handed_down(const hierarchy::Levels& levels, const Units& units, int u, int blocks) {
    const std::span<const int> lacking = all_but_last(units, u);
    const auto n = static_cast<int>(lacking.size());
    std::vector<int> members{units.members(u - 1).back()}, inner(lacking.size());
    members.insert(members.end(), lacking.begin(), lacking.end());
    std::iota(inner.begin(), inner.end(), 1);
    const SchedulePtr tree = upwards(hierarchy::inside(levels, lacking), n);
    const SchedulePtr all = sequence(
        {one_message(0, 1, BlockSet::range(0, blocks)), on_subset(tree, std::move(inner), n + 1)});
    return {std::make_shared<SpreadOut>(all, n + 1), std::move(members),
            [blocks](const BlockSet&) { return BlockSet::range(0, blocks); }};
}

SchedulePtr of_runs(const hierarchy::Levels& levels, int p, int blocks) {
    if (levels.empty()) return doubling(p, 2, blocks);
    const Units units(levels[0]);
    std::vector<Subset> up, down;
    std::vector<int> last;
    for (int u = 0; u < units.count(); ++u) {
        const std::span<const int> members = units.members(u);
        up.push_back({of_runs(hierarchy::inside(levels, members), units.size(u), blocks),
                      {members.begin(), members.end()}});
        last.push_back(members.back());
        if (u > 0 && members.size() > 1) down.push_back(handed_down(levels, units, u, blocks));
    }
    return sequence({side_by_side(std::move(up), p),
                     on_subset(doubling(units.count(), 2, blocks), std::move(last), p),
                     side_by_side(std::move(down), p)});
}

Cost cost_of_runs(const hierarchy::Levels& levels, int p) {
    if (levels.empty()) return doubling_cost(p, 2);
    const Units units(levels[0]);
    const Cost across = doubling_cost(units.count(), 2);
    std::int64_t up = 0, down = 0, messages = across.messages;
    for (int u = 0; u < units.count(); ++u) {
        const Cost inner = cost_of_runs(hierarchy::inside(levels, units.members(u)), units.size(u));
        up = std::max(up, inner.steps);
        messages += inner.messages;
        if (u == 0 || units.size(u) == 1) continue;
        const int lacking = units.size(u) - 1;
        messages += lacking;
        down = std::max(down, 1 + hierarchy::claims::bcast_small_steps(
                                      hierarchy::inside(levels, all_but_last(units, u)), lacking));
    }
    return {up + across.steps + down, messages};
}

}  // namespace

SchedulePtr doubling(int p, int k, int blocks) { return std::make_shared<Doubling>(p, k, blocks); }

SchedulePtr chain(int p, int blocks) { return std::make_shared<Chain>(p, blocks); }

SchedulePtr hierarchical(const hierarchy::Levels& levels, int p, int blocks) {
    return of_runs(consecutive(levels), p, blocks);
}

SchedulePtr exclusive(SchedulePtr inclusive, int p) {
    if (p == 1) return inclusive;
    std::vector<int> others(static_cast<std::size_t>(p) - 1);
    std::iota(others.begin(), others.end(), 1);
    return sequence({std::make_shared<HandOn>(p), on_subset(std::move(inclusive), others, p)});
}

Cost doubling_cost(int p, int k) {
    Cost out{ceil_log(k, p), 0};
    for (int x = 0; x < out.steps; ++x)
        for (int z = 1; z <= digit_values(p, k, x); ++z) out.messages += p - z * digit_weight(k, x);
    return out;
}

Cost chain_cost(int p) {
    const std::int64_t links = std::max(p - 1, 0);
    return {links, links};
}

Cost hierarchical_cost(const hierarchy::Levels& levels, int p) {
    return cost_of_runs(consecutive(levels), p);
}

hierarchy::Levels levels_above_first(const Problem& q) {
    hierarchy::Levels out = hierarchy::levels(q);
    for (std::vector<int>& level : out) level.erase(level.begin());
    return out;
}

}  // namespace hopbine::prefix
