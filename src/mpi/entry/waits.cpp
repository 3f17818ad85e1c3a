// MPI_Wait and its kind, intercepted where there is something to do in them: statistics, or calls
// that nothing but threads resumes.
#include <sched.h>

#include <algorithm>

#include "mpi/entry/drivers.hpp"
#include "mpi/entry/thread_state.hpp"
#include "mpi/progress/engine.hpp"
#include "mpi/state/settings.hpp"
#include "mpi/state/wait_clock.hpp"

namespace hopbine::mpi {

namespace {

/// Resumes calls until `over` is true or none is under way.
template <class Over>
void drive_until(Over&& over) {
    for (bool moved = false; !over() && Engine::drive(&moved) > 0;)
        if (!moved) sched_yield();
}

/// Whether the MPI library would not wait for the request.
bool complete(MPI_Request request) {
    int flag = 0;
    return request != MPI_REQUEST_NULL &&
           (PMPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE) != MPI_SUCCESS || flag);
}

/// What comes before the MPI library's own wait, which hopbine_passed() follows.
template <class Over>
int wait(Over&& over) {
    if (!World::alive()) return kPass;
    const bool counts = !settings().stats.empty();
    if (counts) WaitClock::enter();
    if (thread_alone()) drive_until(over);
    if (!counts) return kPass;
    this_thread().last.waits = true;
    return kPassTimed;
}

int wait_for_all(int n, const MPI_Request* requests) {
    return wait([=] { return n <= 0 || !requests || !Engine::get().has_any(n, requests); });
}

int wait_for_any(int n, const MPI_Request* requests) {
    return wait([=] {
        return n <= 0 || !requests || !Engine::get().has_any(n, requests) ||
               std::any_of(requests, requests + n, complete);
    });
}

}  // namespace

}  // namespace hopbine::mpi

using namespace hopbine::mpi;

#define HOPBINE_EXPORT __attribute__((visibility("default")))

extern "C" {

/// Whether the functions below are to be called. Asked once, when MPI has been initialised.
HOPBINE_EXPORT int hopbine_watches_waits(void) {
    return World::alive() && (!settings().stats.empty() || thread_alone());
}

HOPBINE_EXPORT int hopbine_MPI_Wait(MPI_Request* request, MPI_Status*) {
    return wait_for_all(1, request);
}
HOPBINE_EXPORT int hopbine_MPI_Waitall(int n, MPI_Request* requests, MPI_Status*) {
    return wait_for_all(n, requests);
}
HOPBINE_EXPORT int hopbine_MPI_Waitany(int n, MPI_Request* requests, int*, MPI_Status*) {
    return wait_for_any(n, requests);
}
HOPBINE_EXPORT int hopbine_MPI_Waitsome(int n, MPI_Request* requests, int*, int*, MPI_Status*) {
    return wait_for_any(n, requests);
}
}
