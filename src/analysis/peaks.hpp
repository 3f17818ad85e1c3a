/// What the busiest rank of every step does: all that alpha-beta-gamma models ask of a schedule.
#pragma once
#include <cstdint>
#include <vector>

#include "schedule/algorithm.hpp"

namespace hopbine {

/// The busiest ranks of one step, standing for `times` steps that are alike. The three need not be
/// the same rank.
struct StepPeak {
    int step;
    std::int64_t times;
    std::int64_t messages = 0;  ///< that a rank sends, or receives; the larger
    std::int64_t blocks = 0;    ///< that a rank sends, or receives; the larger
    std::int64_t reduced = 0;   ///< that a rank receives and adds to its own
};

struct Peaks {
    int parts = 1;  ///< blocks are in 1 / parts
    std::vector<StepPeak> steps;
};

/// Counts step by step, never holding a whole schedule. Throws Error.
Peaks peaks(const Algorithm& a, const Problem& given);

}  // namespace hopbine
