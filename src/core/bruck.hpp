/// Bruck's algorithms of any radix (TPDS'97, Sec. 3 and 4): a step for every digit, its k - 1 messages in flight together.
#pragma once
#include "core/schedule.hpp"

namespace hopbine {

/// Alltoall for p ranks, the index algorithm of radix k >= 2: the way of a block, destination - origin mod p, is gone digit by digit, the lowest first. In step x blocks whose
/// digit x is z > 0 move z k^x ranks on. A block makes as many hops as its way has digits to base k that are not 0.
SchedulePtr bruck_index(int p, int k);

/// Allgather for p ranks, concatenation of radix k >= 2: in step x a rank that has k^x blocks in a row sends them, or what is still missing there, z k^x ranks down for z = 1 .. k - 1.
SchedulePtr bruck_concatenation(int p, int k);

}  // namespace hopbine
