/// Largest load of a rank in every step, all that alpha-beta-gamma models need of a schedule.
#pragma once
#include <cstdint>
#include <vector>

#include "schedule/algorithm.hpp"

namespace hopbine {

/// Largest loads of a rank in one step, which stands for `times` equivalent steps. The three need
/// not be of the same rank.
struct StepPeak {
    int step;
    std::int64_t times;
    std::int64_t messages = 0;  ///< sent or received by a rank, the larger
    std::int64_t blocks = 0;    ///< sent or received by a rank, the larger
    std::int64_t reduced = 0;   ///< received and reduced by a rank
};

struct Peaks {
    int parts = 1;  ///< blocks are in units of 1 / parts
    std::vector<StepPeak> steps;
};

/// Counts step by step, without storing the whole schedule. Throws Error.
Peaks peaks(const Algorithm& a, const Problem& given);

}  // namespace hopbine
