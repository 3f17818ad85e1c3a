/// How much of a schedule crosses from one group of ranks to another.
#pragma once
#include <cstdint>
#include <vector>

#include "core/algorithm.hpp"

namespace hopbine {

struct Traffic {
    std::int64_t blocks = 0, messages = 0;  ///< all of them
    std::int64_t crossing_blocks = 0, crossing_messages = 0;  ///< between groups, each counted once
    std::vector<std::int64_t> crossing_by_step;               ///< blocks
};

/// Counts with rank r in group[r]; one step at a time, never a whole schedule. Throws Error when group has not p entries.
Traffic count(const Algorithm& a, const Problem& given, const std::vector<int>& group);

}  // namespace hopbine
