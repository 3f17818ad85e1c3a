/// Takes the times of this thread's blocking collectives for Arrivals, where there are statistics.
#pragma once
#include <cstdint>

#include "mpi/execute/call.hpp"
#include "statistics/arrivals.hpp"

namespace hopbine::mpi {

/// The collective that a thread is in, and what it did since the last one that all ranks leave
/// together. Zeros are a thread before its first.
class Arrival {
public:
    /// The thread begins a call. Time inside of those of one rank, and of nonblocking ones, is time
    /// outside.
    void come(const Call& c);
    /// The MPI library makes the call, which goes on.
    void pass() { passed_ = true; }
    /// The call that the library makes has ended. `happened`: it was not refused.
    void leave_passed(bool happened) {
        if (passed_) leave(happened);
    }
    void leave(bool happened);

private:
    bool here_, passed_;
    bool counts_;  ///< the call is one that all ranks leave together, where they send data
    bool meets_;   ///< this rank cannot leave it before all have come
    bool known_;   ///< `outside_` has all the time since the ranks have met
    Arrivals* arrivals_;
    std::int64_t came_, left_;  ///< left_: the last collective; 0: not known
    std::int64_t outside_;      ///< nanoseconds outside of collectives
};

}  // namespace hopbine::mpi
