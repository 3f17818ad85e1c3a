/// Bruck's algorithms of any radix (TPDS'97, Sec. 3 and 4): a step for every digit, its k - 1
/// messages in flight together.
#pragma once
#include <algorithm>

#include "schedule/schedule.hpp"

namespace hopbine {

/// k^x, the weight of digit x; no larger than p where x is below ceil_log(k, p).
std::int64_t digit_weight(int k, int x);
/// How many z > 0 there are with z k^x < p, of digits 1 .. k - 1.
int digit_values(int p, int k, int x);
/// Calls f(gone, way) for every way below p whose digit x is z: of it `gone`, the lower digits, are
/// behind.
template <class F>
void each_way(int p, int k, int x, int z, F&& f) {
    const std::int64_t unit = digit_weight(k, x);
    for (std::int64_t first = z * unit; first < p; first += k * unit)
        for (std::int64_t direction = first; direction < std::min<std::int64_t>(first + unit, p);
             ++direction)
            f(static_cast<int>(direction % unit), static_cast<int>(direction));
}

/// Alltoall for p ranks, the index algorithm of radix k >= 2: the way of a block, destination -
/// origin mod p, is gone digit by digit, the lowest first. In step x blocks whose digit x is z > 0
/// move z k^x ranks on. A block makes as many hops as its way has digits to base k that are not 0.
SchedulePtr bruck_index(int p, int k);

/// Allgather for p ranks, concatenation of radix k >= 2: in step x a rank that has k^x blocks in a
/// row sends them, or what is still missing there, z k^x ranks down for z = 1 .. k - 1.
SchedulePtr bruck_concatenation(int p, int k);

}  // namespace hopbine
