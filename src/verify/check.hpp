/// The check: replays a schedule on all ranks and counts every contribution.
#pragma once
#include <cstdint>
#include <string>

#include "schedule/algorithm.hpp"

namespace hopbine {

struct Verdict {
    bool ok = true;
    std::string why;  ///< first failure: step, rank, block, and what was expected
    std::int64_t steps = 0, messages = 0,
                 blocks = 0;  ///< blocks: or parts of blocks (Traits::parts)
};

/// Checks a schedule and the claim of its algorithm. The check requires:
/// - Sends match receives, and nothing is received into blocks that are being sent.
/// - A part is moved by one channel only.
/// - Every rank ends with what the collective specifies, each contribution exactly once. For p <=
///   64 contributions are counted exactly, above with random 64-bit weights.
/// - In a barrier every rank hears, directly or not, of the arrival of every rank.
/// - Contributions are reduced in rank order if the algorithm claims so.
/// - All ranks of an allreduce get the same bits, unless the algorithm says otherwise.
/// - Up to 8 ranks: calls that are under way at once never receive each other's messages, and no
///   rank waits for ever, whichever of them goes on first (overlap.hpp).
Verdict check(const Algorithm& a, const Problem& problem);

}  // namespace hopbine
