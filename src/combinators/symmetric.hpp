/// Schedules specified by the sends of one rank in each step. The receives follow by symmetry.
#pragma once
#include <functional>

#include "schedule/schedule.hpp"

namespace hopbine {

/// Every rank sends one message per step, to rank + distance(step) mod p. It receives one from rank
/// - distance(step) mod p.
SchedulePtr shifts(int p, int steps, Op op, std::function<int(int step)> distance,
                   std::function<BlockSet(int rank, int step)> sent, Wire wire = Wire::packed);

/// Every rank sends messages(step) messages per step, in flight together. Message i goes to rank +
/// distance(step, i) mod p.
SchedulePtr shifts_at_once(int p, int steps, Op op, std::function<int(int step)> messages,
                           std::function<int(int step, int i)> distance,
                           std::function<BlockSet(int rank, int step, int i)> sent,
                           Wire wire = Wire::packed);

/// shifts_at_once() with the number of blocks that any rank sends as message i of a step, and
/// traits that hold besides the period of 1.
SchedulePtr shifts_of(int p, int steps, Op op, std::function<int(int step)> messages,
                      std::function<int(int step, int i)> distance,
                      std::function<BlockSet(int rank, int step, int i)> sent,
                      std::function<std::int64_t(int step, int i)> blocks, Traits traits);

/// Every rank exchanges one message per step with partner(rank, step). The relation is mutual. No
/// message is sent where `sent` is empty.
SchedulePtr exchanges(int steps, Op op, std::function<int(int rank, int step)> partner,
                      std::function<BlockSet(int rank, int step)> sent);

/// One step in which every rank sends block(rank, destination) to every other rank.
SchedulePtr all_to_all_at_once(int p, std::function<Block(int source, int destination)> block);

/// One step in which the root sends blocks(rank) to every other rank.
SchedulePtr root_to_all_at_once(int p, int root, std::function<BlockSet(int rank)> blocks);

}  // namespace hopbine
