/// Schedules in GOAL, the text that LogGOPSim and ATLAHS replay.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "schedule/algorithm.hpp"

namespace hopbine {

/// Writes the schedule for a vector of `bytes`, rank by rank; never holds more than a rank's last
/// operations.
/// - `bytes`: of the vector, or a block times the number of ranks where ranks have blocks. Every
/// part has at least one, so that no message is
///   empty; else throws Error.
/// - A message is a transfer of the executor, but the parameter `segment` is not followed. What
/// adding takes is not told. Tag and nic: the channel.
/// - An operation requires those of its rank and channel in the last step before that had some;
/// where Traits::barriers says so, of all channels.
/// - Where many operations require many, all require a `calc 0` between them: it takes no time, and
/// a product of lines becomes a sum.
void export_goal(const Algorithm& a, const Problem& given, std::int64_t bytes,
                 const std::function<void(const std::string&)>& write);

}  // namespace hopbine
