/// Export of schedules in GOAL, the text format that LogGOPSim and ATLAHS replay.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "schedule/algorithm.hpp"

namespace hopbine {

/// Writes the schedule for a vector of `given.bytes`, rank by rank. At most the last operations of
/// one rank are stored.
/// - The bytes are the size of the vector, or of a block times the number of ranks where ranks have
///   blocks. Throws Error unless every part has a byte, so that no message is empty.
/// - A message is a transfer of the executor. Time of reductions is not included. Tag and nic are
///   the channel.
/// - An operation requires those of its rank and channel in the last earlier step that has any.
///   After a barrier (Traits::barriers) it requires those of all channels.
/// - Where many operations require many, all require a `calc 0` between them, which takes no time.
///   The number of lines is then a sum instead of a product.
void export_goal(const Algorithm& a, const Problem& given,
                 const std::function<void(const std::string&)>& write);

}  // namespace hopbine
