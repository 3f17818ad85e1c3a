/// Placement of ranks on nodes, and of nodes in groups (a dragonfly group, a subtree).
#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace hopbine {

/// Node and group of every rank, as arbitrary numbers; ranks of a node are in one group.
struct Placement {
    std::vector<int> group, node;
};

/// Renumbers values 0, 1, ... in the order of their first appearance.
std::vector<int> numbered(const std::vector<std::uint64_t>& names);

/// A placement with one rank per node; `group` is the group of every rank.
Placement one_rank_per_node(std::vector<int> group);

/// Throws Error unless there are p entries and every node lies in one group.
void validate(const Placement& place, int p);

/// Units of one level of a placement (nodes or groups) and the ranks in each.
class Units {
public:
    /// Takes the unit of every rank, as arbitrary numbers. Units are renumbered in the order of
    /// their first rank.
    explicit Units(const std::vector<int>& unit);
    int count() const { return static_cast<int>(begin_.size()) - 1; }
    int of(int rank) const { return unit_[static_cast<std::size_t>(rank)]; }
    /// One past the last of the consecutive ranks from `rank` on in the same unit.
    int until(int rank) const { return until_[static_cast<std::size_t>(rank)]; }
    /// Position of a rank among the members of its unit.
    int index(int rank) const { return index_[static_cast<std::size_t>(rank)]; }
    /// The ranks of a unit, ascending.
    std::span<const int> members(int unit) const {
        return {members_.data() + begin_[static_cast<std::size_t>(unit)],
                static_cast<std::size_t>(size(unit))};
    }
    /// All ranks, by unit.
    std::span<const int> by_unit() const { return members_; }
    int size(int unit) const {
        return begin_[static_cast<std::size_t>(unit) + 1] - begin_[static_cast<std::size_t>(unit)];
    }

    /// Whether all units have equally many ranks.
    bool even() const;
    /// Ranks per unit if all units have equally many, in consecutive ranks; else 0.
    int period() const;

    /// The member of `unit` that is responsible for the block of `rank`. In its own unit this is
    /// the rank itself, elsewhere the member at the same relative position. Units of unequal size
    /// thus share the work evenly.
    int holder(int unit, int rank) const;
    /// Interval of the indexes of members of unit `c` with a holder in `unit` of index in [lo, hi).
    std::pair<int, int> held(int unit, int lo, int hi, int c) const;

private:
    std::vector<int> unit_, index_, until_;
    std::vector<int> members_;  ///< ranks by unit
    std::vector<int> begin_;    ///< [count() + 1] of each unit in members_
};

}  // namespace hopbine
