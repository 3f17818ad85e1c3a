/// Schedules told by what one rank sends in each step: the receives follow, because ranks are
/// alike.
#pragma once
#include <functional>

#include "schedule/schedule.hpp"

namespace hopbine {

/// Every rank sends one message per step, to rank + distance(step) mod p, and receives the one of
/// rank - distance(step).
SchedulePtr shifts(int p, int steps, Op op, std::function<int(int step)> distance,
                   std::function<BlockSet(int rank, int step)> sent, Wire wire = Wire::packed);

/// The same with messages(step) messages in flight together, message i to rank + distance(step, i)
/// mod p.
SchedulePtr shifts_at_once(int p, int steps, Op op, std::function<int(int step)> messages,
                           std::function<int(int step, int i)> distance,
                           std::function<BlockSet(int rank, int step, int i)> sent,
                           Wire wire = Wire::packed);

/// Every rank exchanges one message per step with partner(rank, step), whose partner it is. Where
/// `sent` is empty there is no message.
SchedulePtr exchanges(int steps, Op op, std::function<int(int rank, int step)> partner,
                      std::function<BlockSet(int rank, int step)> sent);

/// Everything in one step: every rank sends blocks(rank, destination) to every other rank.
SchedulePtr all_to_all_at_once(int p, std::function<BlockSet(int source, int destination)> blocks);

/// Everything in one step: the root sends blocks(rank) to every other rank.
SchedulePtr root_to_all_at_once(int p, int root, std::function<BlockSet(int rank)> blocks);

}  // namespace hopbine
