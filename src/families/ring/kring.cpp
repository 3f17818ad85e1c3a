#include "families/ring/kring.hpp"

#include <algorithm>
#include <numeric>

#include "combinators/unit_sizes.hpp"
#include "families/radix.hpp"
#include "schedule/integers.hpp"

namespace hopbine {

namespace {

class KRing : public Schedule {
public:
    explicit KRing(Rings rings)
        : Schedule(traits_of(rings)),
          rings_(std::move(rings)),
          sizes_(rings_.groups),
          at_(rings_.order.size()) {
        for (std::size_t i = 0; i < rings_.order.size(); ++i)
            at_[static_cast<std::size_t>(rings_.order[i])] = static_cast<int>(i);
    }
    int steps() const override { return rings_.steps(); }

    void moves(int rank, int s, Step& out) const override {
        const Units& groups = rings_.groups;
        const int home = groups.of(rank), turn = s / (rings_.rounds + 1), u = round(s);
        if (u == rings_.rounds) {
            const int next = around(home, 1), last = around(home, -1);
            hand_over(rank, around(home, -turn), home, next, Direction::send, out);
            hand_over(rank, around(last, -turn), home, last, Direction::recv, out);
            return;
        }
        if (u < groups.size(home) - 1) pass_on(rank, around(home, -turn), u, out);
    }

protected:
    /// The blocks of every group pass once around the ring of a group. From there they go to the
    /// next group, unless they are its own.
    bool count_all(int rank, MoveSizes& out) const override {
        const int home = rings_.groups.of(rank), next = around(home, 1), last = around(home, -1);
        Step moves;
        const auto add_times = [&](std::int64_t times) {
            for (const Move& m : moves)
                if (times > 0)
                    out.push_back({m.direction, m.op, m.peer, m.blocks.size() * times, times});
            moves.clear();
        };
        for (std::size_t size = 0; size < sizes_.count(); ++size) {
            const int from = sizes_.first(size);
            for (int u = 0; u + 1 < rings_.groups.size(home); ++u) pass_on(rank, from, u, moves);
            add_times(sizes_.times(size));
            hand_over(rank, from, home, next, Direction::send, moves);
            add_times(sizes_.times(size) - (sizes_.of(next) == size));
            hand_over(rank, from, home, last, Direction::recv, moves);
            add_times(sizes_.times(size) - (sizes_.of(home) == size));
        }
        return true;
    }

private:
    static Traits traits_of(const Rings& rings) {
        bool even = true, in_order = true;
        const Units& groups = rings.groups;
        for (int g = 0; g < groups.count(); ++g) {
            even &= groups.size(g) == rings.rounds + 1;
            in_order &= rings.order[static_cast<std::size_t>(g)] == g &&
                        groups.until(groups.members(g).front()) - groups.members(g).front() ==
                            groups.size(g);
        }
        if (!even) return {};
        return {.period = in_order ? rings.rounds + 1 : 0,
                .classes = [rounds = rings.rounds](int s) {
                    return s % (rounds + 1) == rounds ? rounds : 0;
                }};
    }
    int round(int s) const { return s % (rings_.rounds + 1); }
    /// The group `by` places ahead on the ring.
    int around(int group, int by) const {
        return rings_.order[static_cast<std::size_t>(
            mod(std::int64_t{at_[static_cast<std::size_t>(group)]} + by, rings_.groups.count()))];
    }
    /// Blocks of group `from` that enter group `home` at its member i.
    BlockSet share(int from, int home, int i) const {
        const auto [lo, hi] = rings_.groups.held(home, i, i + 1, from);
        const auto members = rings_.groups.members(from);
        return BlockSet::of({members.begin() + lo, members.begin() + hi});
    }
    /// Messages of round u inside the group of a rank, with blocks of group `from`.
    void pass_on(int rank, int from, int u, Step& out) const {
        const Units& groups = rings_.groups;
        const int home = groups.of(rank), n = groups.size(home), i = groups.index(rank);
        add(Direction::send, groups.members(home)[static_cast<std::size_t>(mod(i + 1, n))],
            share(from, home, mod(i - u, n)), out);
        add(Direction::recv, groups.members(home)[static_cast<std::size_t>(mod(i - 1, n))],
            share(from, home, mod(i - 1 - u, n)), out);
    }
    /// Messages between this rank and ranks of group `other`. They carry the blocks of group `from`
    /// with these two as their holders.
    void hand_over(int rank, int from, int home, int other, Direction direction, Step& out) const {
        const Units& groups = rings_.groups;
        const auto [lo, hi] = groups.held(home, groups.index(rank), groups.index(rank) + 1, from);
        for (int j = lo, end; j < hi; j = end) {
            const auto members = groups.members(from);
            const int peer = groups.holder(other, members[static_cast<std::size_t>(j)]);
            for (end = j + 1;
                 end < hi && groups.holder(other, members[static_cast<std::size_t>(end)]) == peer;
                 ++end) {
            }
            add(direction, peer, BlockSet::of({members.begin() + j, members.begin() + end}), out);
        }
    }
    static void add(Direction direction, int peer, BlockSet blocks, Step& out) {
        if (!blocks.empty()) out.push_back({direction, Op::copy, peer, std::move(blocks)});
    }

    Rings rings_;
    UnitSizes sizes_;      ///< of the groups
    std::vector<int> at_;  ///< place of each group on the ring
};

}  // namespace

Rings Rings::of(const Problem& q, int first) {
    const auto p = static_cast<std::size_t>(q.p);
    const auto k = radix::k(q);
    std::vector<int> unit(p, 0), place(p, 0);
    for (std::size_t v = 0; v < p; ++v) {
        const std::size_t r = (v + static_cast<std::size_t>(first)) % p;
        if (k > 0)
            unit[v] = static_cast<int>(r) / k;
        else if (q.placement)
            unit[v] = q.placement->node[r], place[v] = q.placement->group[r];
    }
    Rings out{Units(unit), {}, 0};
    const Units places(place);
    out.order.resize(static_cast<std::size_t>(out.groups.count()));
    std::iota(out.order.begin(), out.order.end(), 0);
    std::stable_sort(out.order.begin(), out.order.end(), [&](int a, int b) {
        return places.of(out.groups.members(a).front()) < places.of(out.groups.members(b).front());
    });
    for (int g : out.order) out.rounds = std::max(out.rounds, out.groups.size(g) - 1);
    return out;
}

SchedulePtr kring_allgather(Rings rings) { return std::make_shared<KRing>(std::move(rings)); }

}  // namespace hopbine
