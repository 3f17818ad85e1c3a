// MPI_Wait and its kind, intercepted where there is something to do in them: statistics, calls that
// nothing but threads resumes, or calls that are compared.
#include <sched.h>

#include "mpi/entry/serve.hpp"
#include "mpi/progress/engine.hpp"
#include "mpi/requests/drivers.hpp"
#include "mpi/watch/compare_calls.hpp"
#include "runtime/settings.hpp"
#include "statistics/wait_clock.hpp"

namespace hopbine::mpi {

namespace {

/// What comes before the MPI library's own wait, which hopbine_passed() follows; or all of it,
/// where nothing but threads resumes calls. `over(&answer)`: whether this is no time to resume
/// calls, and the answer where the wait is over.
template <class Over>
int wait(Over&& over) {
    if (!World::alive()) return kPass;
    const bool counts = !settings().stats.empty();
    if (counts) WaitClock::enter();
    int answer = kPass;
    for (bool moved = false; thread_alone() && !over(&answer) && Engine::drive(&moved) > 0;)
        if (!moved) sched_yield();
    if (counts && answer != kPass) WaitClock::leave();
    if (!counts || answer != kPass) return answer;
    this_thread().last.waits = true;
    return kPassTimed;
}

/// Whether calls under way are behind some of the requests.
bool ours(int n, const MPI_Request* requests) {
    return n > 0 && requests && Engine::get().has_any(n, requests);
}

int wait_for_all(int n, const MPI_Request* requests) {
    compare_before_wait(n, requests, true);
    return wait([=](int*) { return !ours(n, requests); });
}

/// `test(&error)`: whether the MPI library's test has found a request that is complete.
template <class Test>
int wait_for_any(int n, const MPI_Request* requests, Test&& test) {
    compare_before_wait(n, requests, false);
    return wait([&](int* answer) {
        if (!ours(n, requests)) return true;
        int error = MPI_SUCCESS;
        const bool found = test(&error);
        if (found || error != MPI_SUCCESS) *answer = error;
        return found || error != MPI_SUCCESS;
    });
}

}  // namespace

}  // namespace hopbine::mpi

using namespace hopbine::mpi;

extern "C" {

/// Whether the functions below are to be called. Asked once, when MPI has been initialised.
int hopbine_watches_waits(void) {
    return World::alive() && (!settings().stats.empty() || thread_alone() || compares_calls());
}

int hopbine_MPI_Wait(MPI_Request* request, MPI_Status*) { return wait_for_all(1, request); }
int hopbine_MPI_Waitall(int n, MPI_Request* requests, MPI_Status*) {
    return wait_for_all(n, requests);
}
int hopbine_MPI_Waitany(int n, MPI_Request* requests, int* which, MPI_Status* status) {
    return wait_for_any(n, requests, [=](int* error) {
        int found = 0;
        *error = PMPI_Testany(n, requests, which, &found, status);
        return found != 0;
    });
}
int hopbine_MPI_Waitsome(int n, MPI_Request* requests, int* found, int* which,
                         MPI_Status* statuses) {
    return wait_for_any(n, requests, [=](int* error) {
        *error = PMPI_Testsome(n, requests, found, which, statuses);
        return *found != 0;
    });
}
}
