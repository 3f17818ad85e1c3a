#include "families/hierarchy/hierarchy.hpp"

#include <algorithm>
#include <map>

#include "combinators/expand_units.hpp"
#include "combinators/subset.hpp"
#include "combinators/symmetric.hpp"
#include "families/bine/bine.hpp"
#include "families/exchange/recursive_multiplying.hpp"
#include "schedule/integers.hpp"

namespace hopbine::hierarchy {

namespace {

std::vector<int> copied(std::span<const int> members) { return {members.begin(), members.end()}; }

/// One subset per unit, with the schedule make(levels of the unit, its size, root in it). Units of
/// one size and root share the schedule where they have no levels.
template <class Root, class Make>
std::vector<Subset> subset_per_unit(const Levels& levels, const Units& units, Root&& root,
                                    Make&& make) {
    std::vector<Subset> subsets;
    std::map<std::pair<int, int>, SchedulePtr> known;  // by size and root
    for (int u = 0; u < units.count(); ++u) {
        const Levels sub = inside(levels, units.members(u));
        const int size = units.size(u), start = root(u);
        SchedulePtr made = sub.empty() ? known[{size, start}] : nullptr;
        if (!made) made = make(sub, size, start);
        if (sub.empty()) known[{size, start}] = made;
        subsets.push_back({std::move(made), copied(units.members(u))});
    }
    return subsets;
}
int no_root(int) { return 0; }

/// Maps block m of a subset to the block of its m-th member.
BlockMap own_blocks(const std::vector<int>& members) {
    return {[members](const BlockSet& blocks) {
                std::vector<Block> out;
                blocks.each([&](Block m) { out.push_back(members[static_cast<std::size_t>(m)]); });
                return BlockSet::of(std::move(out));
            },
            1};
}

/// Maps block c of a subset of one rank per unit to the blocks of all ranks of unit c.
BlockMap blocks_of_units(const std::shared_ptr<const Units>& units) {
    return {[units](const BlockSet& blocks) {
                std::vector<Block> out;
                blocks.each([&](Block c) {
                    const auto members = units->members(static_cast<int>(c));
                    out.insert(out.end(), members.begin(), members.end());
                });
                return BlockSet::of(std::move(out));
            },
            0,
            [units](const BlockSet& blocks) {
                std::int64_t n = 0;
                blocks.each([&](Block c) { n += units->size(static_cast<int>(c)); });
                return n;
            }};
}

/// Maps any blocks to the whole vector.
BlockMap whole(int p) {
    return {[p](const BlockSet&) { return BlockSet::range(0, p); }, 0,
            [p](const BlockSet&) { return std::int64_t{p}; }};
}

/// Leaders of the units: the root, and the first rank of every other unit.
std::vector<int> leaders(const Units& units, int root) {
    std::vector<int> out;
    for (int u = 0; u < units.count(); ++u)
        out.push_back(u == units.of(root) ? root : units.members(u).front());
    return out;
}

/// A scatter, and the blocks that every rank has after it, forwarded ones included.
struct Scattering {
    SchedulePtr schedule;
    std::function<BlockSet(int rank)> held;
};

Scattering scattering(const Levels& levels, int p, int root) {
    if (levels.empty()) {
        const auto tree = std::make_shared<const Tree>(bine::halving_tree(p));
        return {tree_scatter(*tree, root), [tree, p, root](int r) {
                    return BlockSet::of(tree->subtree(mod(r - root, p))).rotated(root, p);
                }};
    }
    const auto units = std::make_shared<const Units>(levels[0]);
    const auto lead = leaders(*units, root);
    Subset across{root_to_all_at_once(units->count(), units->of(root),
                                      [](int c) { return BlockSet::single(c); }),
                  lead, blocks_of_units(units)};
    std::vector<std::function<BlockSet(int)>> held;
    std::vector<Subset> subsets;
    for (int u = 0; u < units->count(); ++u) {
        Scattering s = scattering(inside(levels, units->members(u)), units->size(u),
                                  units->index(lead[static_cast<std::size_t>(u)]));
        held.push_back(std::move(s.held));
        std::vector<int> members = copied(units->members(u));
        subsets.push_back({std::move(s.schedule), members, own_blocks(members)});
    }
    return {sequence({side_by_side({std::move(across)}, p), side_by_side(std::move(subsets), p)}),
            [units, held, root, p](int r) {
                if (r == root) return BlockSet::range(0, p);
                const int u = units->of(r);
                return own_blocks(copied(units->members(u)))
                    .map(held[static_cast<std::size_t>(u)](units->index(r)));
            }};
}

SchedulePtr between_units(int k, Between between) {
    if (between == Between::butterfly) return bine::reduce_scatter(k, bine::Order::doubling, false);
    return reversed(all_to_all_at_once(k, [](int from, int) { return from; }), Op::reduce);
}

}  // namespace

Levels inside(const Levels& all, std::span<const int> members) {
    Levels out;
    for (std::size_t l = 1; l < all.size(); ++l) {
        std::vector<int> level;
        for (int r : members) level.push_back(all[l][static_cast<std::size_t>(r)]);
        const int k = Units(level).count();
        if (k > 1 && k < static_cast<int>(members.size())) out.push_back(std::move(level));
    }
    return out;
}

Levels levels(const Problem& q) {
    Levels out;
    if (!q.placement) return out;
    int before = 1;
    for (const auto* level : {&q.placement->group, &q.placement->node}) {
        const int k = Units(*level).count();
        if (k > before && k < q.p) out.push_back(*level);
        before = k;
    }
    return out;
}

Nodes nodes(const Problem& q) {
    const int k = q.placement ? Units(q.placement->node).count() : q.p;
    if (k == q.p) return {{}, Between::butterfly};
    return {k == 1 ? Levels{} : Levels{q.placement->node}, Between::at_once};
}

SchedulePtr reduce_scatter(const Levels& levels, int p, Between between, Between home) {
    if (levels.empty()) return between_units(p, home);
    const auto units = std::make_shared<const Units>(levels[0]);
    auto subsets = subset_per_unit(levels, *units, no_root, [&](const Levels& sub, int g, int) {
        return reduce_scatter(sub, g, between, home);
    });
    for (int u = 0; u < units->count(); ++u)
        subsets[static_cast<std::size_t>(u)].blocks = shares(units, u);
    return sequence({side_by_side(std::move(subsets), p),
                     expand_units(between_units(units->count(), between), units)});
}

SchedulePtr allgather(const Levels& levels, int p, Between between, Between home) {
    return reversed(reduce_scatter(levels, p, between, home), Op::copy);
}

SchedulePtr bcast_small(const Levels& levels, int p, int root, int k) {
    const auto tree = [k](int n, int from) {
        return k == 2 ? bine::halving_bcast(n, from) : tree_bcast(knomial(n, k), from);
    };
    if (levels.empty()) return tree(p, root);
    const Units units(levels[0]);
    const auto lead = leaders(units, root);
    auto subsets = subset_per_unit(
        levels, units, [&](int u) { return units.index(lead[static_cast<std::size_t>(u)]); },
        [k](const Levels& sub, int g, int start) { return bcast_small(sub, g, start, k); });
    for (Subset& t : subsets) t.blocks = whole(p);
    return sequence({side_by_side({{tree(units.count(), units.of(root)), lead, whole(p)}}, p),
                     side_by_side(std::move(subsets), p)});
}

SchedulePtr bcast_large(const Levels& levels, int p, int root) {
    if (levels.empty()) return bine::scatter_allgather(p, root);
    const auto units = std::make_shared<const Units>(levels[0]);
    const int home = units->of(root);
    const Scattering start =
        scattering(inside(levels, units->members(home)), units->size(home), units->index(root));
    auto subsets = subset_per_unit(levels, *units, no_root, [](const Levels& sub, int g, int) {
        return allgather(sub, g, Between::butterfly);
    });
    SchedulePtr& at_home = subsets[static_cast<std::size_t>(home)].schedule;
    at_home = skipping(at_home, start.held);
    for (int u = 0; u < units->count(); ++u)
        subsets[static_cast<std::size_t>(u)].blocks = shares(units, u);
    return sequence(
        {side_by_side({{start.schedule, copied(units->members(home)), shares(units, home)}}, p),
         expand_units(bine::scatter_allgather(units->count(), home), units),
         side_by_side(std::move(subsets), p)});
}

SchedulePtr allreduce_small(const Levels& levels, int p, int k) {
    if (levels.empty()) return multiplying_allreduce({p, k}, p);
    const Units units(levels[0]);
    auto subsets = subset_per_unit(levels, units, no_root, [k](const Levels& sub, int g, int) {
        return bcast_small(sub, g, 0, k);
    });
    for (Subset& t : subsets) t.blocks = whole(p);
    const SchedulePtr down = side_by_side(std::move(subsets), p);
    const SchedulePtr across = multiplying_allreduce({units.count(), k}, units.count());
    return sequence(
        {reversed(down, Op::reduce),
         side_by_side({{across, leaders(units, units.members(0).front()), whole(p)}}, p), down});
}

SchedulePtr scatter(const Levels& levels, int p, int root) {
    return scattering(levels, p, root).schedule;
}

Between between(const Problem& q) {
    return q.get("at_once") ? Between::at_once : Between::butterfly;
}

}  // namespace hopbine::hierarchy
