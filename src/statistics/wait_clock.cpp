#include "statistics/wait_clock.hpp"

#include <algorithm>
#include <mutex>

namespace hopbine::mpi {

namespace {

std::mutex clock_lock;
int inside = 0;                        ///< threads that wait
std::int64_t since = 0, finished = 0;  ///< when the first of them came; nanoseconds before
thread_local bool waits = false;

}  // namespace

void WaitClock::enter() {
    const std::lock_guard hold(clock_lock);
    if (waits) return;
    waits = true;
    if (inside++ == 0) since = now();
}

void WaitClock::leave() {
    const std::lock_guard hold(clock_lock);
    waits = false;
    if (--inside == 0) finished += now() - since;
}

std::int64_t WaitClock::at(std::int64_t time) {
    const std::lock_guard hold(clock_lock);
    // A thread may have come after the time was read.
    return finished + (inside > 0 ? std::max<std::int64_t>(0, time - since) : 0);
}

}  // namespace hopbine::mpi
