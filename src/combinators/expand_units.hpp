/// From schedules between units of ranks (nodes, groups) to schedules between ranks.
#pragma once
#include <functional>
#include <memory>

#include "schedule/placement.hpp"
#include "schedule/schedule.hpp"

namespace hopbine {

/// `between` has a rank and a block per unit; block c stands for the blocks of the ranks of unit c.
/// What unit u sends to unit v goes, for each rank r of those, from the rank that holds r's block
/// in u to the one that holds it in v (Units::holder).
SchedulePtr expand_units(SchedulePtr between, std::shared_ptr<const Units> units);

/// Blocks of a schedule inside `unit`, where block m stands for all that the unit's m-th member
/// holds.
std::function<BlockSet(const BlockSet&)> shares(std::shared_ptr<const Units> units, int unit);

}  // namespace hopbine
