/// Where ranks are: which node, and in which group of nodes (a dragonfly group, a subtree).
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

namespace hopbine {

/// Node and group of every rank, as numbers without meaning; ranks of one node are in one group.
struct Placement {
    std::vector<int> group, node;
};

/// The same values as 0, 1, ... in the order of their first appearance.
std::vector<int> numbered(const std::vector<std::uint64_t>& names);

/// One rank per node, `group` told per rank. The placement that analysis of one rank per node
/// starts from.
Placement one_rank_per_node(std::vector<int> group);

/// Throws Error when there are not p entries, or a node lies in two groups.
void validate(const Placement& place, int p);

/// The ranks of a level of a placement, unit by unit.
class Units {
public:
    /// `unit` of every rank, any numbers; units are numbered in the order of their first rank.
    explicit Units(const std::vector<int>& unit);
    int count() const { return static_cast<int>(members_.size()); }
    int of(int rank) const { return unit_[static_cast<std::size_t>(rank)]; }
    /// One past the last of the consecutive ranks from `rank` on that are in its unit.
    int until(int rank) const { return until_[static_cast<std::size_t>(rank)]; }
    /// Position of a rank among the members of its unit.
    int index(int rank) const { return index_[static_cast<std::size_t>(rank)]; }
    const std::vector<int>& members(int unit) const {
        return members_[static_cast<std::size_t>(unit)];
    }
    int size(int unit) const { return static_cast<int>(members(unit).size()); }

    /// Who holds in `unit` what belongs to `rank`: the rank itself at home; elsewhere the member at
    /// the same relative position, so that units of unequal size share the work evenly.
    int holder(int unit, int rank) const;
    /// The indexes i of members of unit `c` whose holder in `unit` has an index in [lo, hi): an
    /// interval.
    std::pair<int, int> held(int unit, int lo, int hi, int c) const;

private:
    std::vector<int> unit_, index_, until_;
    std::vector<std::vector<int>> members_;
};

}  // namespace hopbine
