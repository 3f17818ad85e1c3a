/// How long a nonblocking or persistent call is in flight, for statistics.
#pragma once
#include "mpi/state/stats.hpp"
#include "mpi/state/wait_clock.hpp"
#include "runtime/settings.hpp"

namespace hopbine::mpi {

class FlightTimer {
public:
    void begin() {
        if (settings().stats.empty()) return;
        began_ = now();
        site_ = call_site();
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
