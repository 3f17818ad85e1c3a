/// Bruck's algorithms of any radix k (TPDS'97, Sec. 3 and 4). One step per digit, with up to k - 1
/// messages in flight together.
#pragma once
#include <algorithm>

#include "schedule/schedule.hpp"

namespace hopbine {

/// k^x, the weight of digit x; at most p for x below ceil_log(k, p).
std::int64_t digit_weight(int k, int x);
/// Number of digits z in 1 .. k - 1 with z k^x < p.
int digit_values(int p, int k, int x);
/// Calls f(gone, distance) for every distance below p whose digit x is z. `gone` is the distance of
/// its lower digits, already covered.
template <class F>
void each_way(int p, int k, int x, int z, F&& f) {
    const std::int64_t unit = digit_weight(k, x);
    for (std::int64_t first = z * unit; first < p; first += k * unit)
        for (std::int64_t direction = first; direction < std::min<std::int64_t>(first + unit, p);
             ++direction)
            f(static_cast<int>(direction % unit), static_cast<int>(direction));
}

/// Number of distances below p whose digit x is z.
std::int64_t ways(int p, int k, int x, int z);

/// Alltoall for p ranks: the index algorithm of radix k >= 2. The distance of a block, destination
/// - origin mod p, is covered digit by digit, the lowest first. In step x blocks whose digit x is z
/// > 0 move z k^x ranks ahead. A block takes one hop per nonzero base-k digit of its distance.
SchedulePtr bruck_index(int p, int k);
/// bruck_index with a step for every z: one message of a rank is in flight (ParLogNa, Algorithm 1).
SchedulePtr bruck_index_by_rounds(int p, int k);
/// Its steps: K <= w (k - 1) for w digits (ParLogNa, Sec. 3.1).
int bruck_rounds(int p, int k);

/// Allgather for p ranks: the concatenation algorithm of radix k >= 2. In step x a rank has k^x
/// consecutive blocks. It sends them, or those that the receiver still lacks, z k^x ranks down, for
/// z = 1 .. k - 1.
SchedulePtr bruck_concatenation(int p, int k);

}  // namespace hopbine
