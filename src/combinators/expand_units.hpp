/// Expansion of schedules between units (nodes, groups) into schedules between ranks.
#pragma once
#include <memory>

#include "combinators/subset.hpp"
#include "schedule/placement.hpp"
#include "schedule/schedule.hpp"

namespace hopbine {

/// Expands `between`, which has one rank and one block per unit. Block c stands for the blocks of
/// all ranks of unit c. Where unit u sends it to unit v, the block of each of these ranks goes from
/// its holder in u to its holder in v (Units::holder).
SchedulePtr expand_units(SchedulePtr between, std::shared_ptr<const Units> units);

/// Maps block m of a schedule inside `unit` to all blocks that its m-th member holds.
BlockMap shares(std::shared_ptr<const Units> units, int unit);

}  // namespace hopbine
