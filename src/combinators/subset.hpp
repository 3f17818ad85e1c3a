/// Schedules on subsets of the ranks.
#pragma once
#include <functional>
#include <vector>

#include "schedule/schedule.hpp"

namespace hopbine {

/// Maps the blocks of a schedule to disjoint sets of others.
struct BlockMap {
    std::function<BlockSet(const BlockSet&)> map;
    /// Number of blocks that one becomes, if that is the same for all; else 0.
    std::int64_t each = 0;
    /// Number of blocks that a set becomes, without making them. Null: they are made.
    std::function<std::int64_t(const BlockSet&)> size_of = {};
    std::int64_t size(const BlockSet& blocks) const {
        return size_of ? size_of(blocks) : map(blocks).size();
    }
    explicit operator bool() const { return static_cast<bool>(map); }
};

/// A schedule on some of the ranks: its rank v is members[v].
struct Subset {
    SchedulePtr schedule;
    std::vector<int> members;
    /// Renumbers the blocks of the subset's schedule; by default they keep their numbers.
    BlockMap blocks = {};
};

/// Runs disjoint subsets at the same time. Ranks in no subset are idle, as is a subset that has
/// completed.
SchedulePtr side_by_side(std::vector<Subset> subsets, int p);

/// Runs `inner` on some of p ranks: its rank v is members[v], all others are idle. Block numbers
/// are kept.
SchedulePtr on_subset(SchedulePtr inner, std::vector<int> members, int p);

}  // namespace hopbine
