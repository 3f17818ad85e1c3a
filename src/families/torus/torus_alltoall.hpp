/// Alltoalls on a torus, along one dimension at a time.
#pragma once
#include "schedule/algorithm.hpp"

namespace hopbine::torus {

/// Along each dimension every rank sends to every other coordinate, one per step, all blocks that
/// it has for ranks with this coordinate. Every block takes at most one message per dimension, on
/// rings of the torus only.
SchedulePtr alltoall(const Problem& q);
/// Steps of it.
int alltoall_steps(const Problem& q);

/// The parameter "ports" of alltoalls.
inline constexpr Parameter alltoall_ports{
    "ports",
    Kind::published,
    0,
    1,
    0,
    "1: 2 D parts at once, one per port of a torus of D dimensions (Bine App. D.4), for counts and "
    "simulations: over MPI an alltoall moves whole blocks; 0: one part"};
/// Bine's alltoall in every dimension, which take turns (Bine SC'25, Sec. 4.4, App. D), on all
/// ports that the problem asks for.
SchedulePtr bine_alltoall(const Problem& q);

}  // namespace hopbine::torus
