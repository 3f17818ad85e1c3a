/// How long the program has been in MPI_Wait, MPI_Waitall, MPI_Waitany and MPI_Waitsome.
#pragma once
#include <cstdint>

namespace hopbine::mpi {

/// It goes while at least one of the program's threads is in one of them. Its difference over the
/// time of a call is the part of it that was waited for.
class WaitClock {
public:
    /// This thread enters. One that has not left before, by an exception, still is in there.
    static void enter();
    static void leave();
    /// Nanoseconds that have been counted at a time of now().
    static std::int64_t at(std::int64_t time);
};

}  // namespace hopbine::mpi
