/// How long a nonblocking or persistent call is in flight, for statistics.
#pragma once
#include "mpi/state/settings.hpp"
#include "mpi/state/stats.hpp"
#include "mpi/state/wait_clock.hpp"

namespace hopbine::mpi {

class FlightTimer {
public:
    void begin() {
        if (settings().stats.empty()) return;
        began_ = now();
        waited_ = WaitClock::at(began_);
    }
    /// Adds the call to a row.
    void end(StatRow& row, int rank, std::int64_t bytes) const {
        const std::int64_t ended = now();
        row.add(rank, bytes, ended - began_, WaitClock::at(ended) - waited_);
    }

private:
    std::int64_t began_ = 0, waited_ = 0;
};

}  // namespace hopbine::mpi
