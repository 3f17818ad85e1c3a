/// Plays a program on a machine, with a policy on each of its ranks.
#pragma once
#include <vector>

#include "regret/policy.hpp"

namespace hopbine::regret {

struct Played {
    double seconds = 0;   ///< until the last rank has ended
    double expected = 0;  ///< in calls, agreements and barriers in the mean, of the busiest rank
    std::vector<std::int64_t> served;  ///< calls by arm
    std::int64_t agreements = 0, barriers = 0;
};

/// What is left out, for comparison.
enum class Without {
    nothing,
    setup,  ///< the first calls of an arm are as later ones
    calls,  ///< calls take no time: what remains is waiting for late ranks
};

/// Throws Error if ranks do not do the same in a call: another arm, another step of an agreement.
Played play(const Program& program, const Stage& stage, const MakePolicy& policy,
            Without without = Without::nothing);

}  // namespace hopbine::regret
