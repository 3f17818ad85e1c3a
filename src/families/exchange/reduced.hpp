/// Rabenseifner's reduce_scatter on numbers of ranks that are no powers of two (Swing NSDI'24, Sec.
/// 2.3.3; Rabenseifner and Traeff, EuroPVM/MPI'04).
#pragma once
#include "families/exchange/butterfly.hpp"

namespace hopbine::butterfly {

/// Vector-halving, distance-doubling reduce_scatter of p blocks on the largest power of two of
/// ranks. Each of the others gives its vector to the rank after it first, and takes no part then.
SchedulePtr reduced_doubling(int p, Sign sign);
/// Steps of it.
int reduced_steps(int p);

/// Vector-halving, distance-doubling reduce_scatter of p blocks, in which every step pairs the
/// ranks that share a window. Where their number is odd, three of them exchange (3-2 elimination):
/// the third sends one half of its window to each of the others, and takes no part then. It takes
/// floor(log2 p) steps.
SchedulePtr eliminating_doubling(int p);

}  // namespace hopbine::butterfly
