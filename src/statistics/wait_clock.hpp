/// How long the program has been in MPI_Wait, MPI_Waitall, MPI_Waitany and MPI_Waitsome, and calls
/// that it waits for in flight.
#pragma once
#include <cstdint>

#include "runtime/settings.hpp"
#include "statistics/statistics.hpp"

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

/// How long a nonblocking or persistent call is in flight, for statistics.
class FlightTimer {
public:
    /// `caller`: where the call that begins returns to.
    void begin(const void* caller) {
        if (settings().stats.empty()) return;
        began_ = now();
        site_ = call_site(caller);
        waited_ = WaitClock::at(began_);
    }
    /// Adds the call to a row, or to that of the same calls from where it began. Returns it.
    StatRow& end(StatRow& row, int rank, std::int64_t bytes) const {
        const std::int64_t ended = now();
        StatRow& here = *row_at(&row, site_);
        here.add(rank, bytes, ended - began_, WaitClock::at(ended) - waited_);
        return here;
    }

private:
    std::int64_t began_ = 0, waited_ = 0;
    const CallSite* site_ = nullptr;
};

}  // namespace hopbine::mpi
