/// The proof: replays a schedule on all ranks and counts every contribution.
#pragma once
#include <cstdint>
#include <string>

#include "schedule/algorithm.hpp"

namespace hopbine {

struct Verdict {
    bool ok = true;
    std::string why;  ///< first failure: step, rank, block, what was expected
    std::int64_t steps = 0, messages = 0,
                 blocks = 0;  ///< blocks: or parts of them (Traits::parts)
};

/// Checks that sends meet receives, that nothing is received into what is being sent, that a part
/// is moved by one channel only, that every rank ends with what the collective promises with each
/// contribution exactly once (p <= 64: counted exactly; above: random 64-bit weights), in rank
/// order where the algorithm claims it, an allreduce with the same bits on all ranks unless it says
/// otherwise, and that the claim is met.
Verdict check(const Algorithm& a, const Problem& problem);

}  // namespace hopbine
