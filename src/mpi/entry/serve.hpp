/// Carries out the routes of calls, and has what a thread remembers of its calls.
#pragma once
#include <mutex>

#include "device/runtime.hpp"
#include "mpi/device/library_answer.hpp"
#include "mpi/entry/route.hpp"
#include "mpi/entry/route_cache.hpp"
#include "mpi/state/arrival.hpp"
#include "mpi/state/early_communicators.hpp"
#include "mpi/state/passing.hpp"
#include "mpi/state/stats.hpp"
#include "mpi/sums/exact_sum.hpp"
#include "runtime/settings.hpp"

extern "C" {
/// This thread's state; null before its first call. The preload library (src/preload/preload.c)
/// has the variable.
extern __attribute__((tls_model("initial-exec"))) constinit thread_local void* hopbine_thread;
/// Whether the preload library calls hopbine_library_loaded() (src/preload/loads.c).
extern int hopbine_tells_loads;
}

namespace hopbine::mpi {

/// The last call of this thread: what served it, and when it was passed on to the MPI library.
struct Last {
    const char* served = nullptr;  ///< null: there was none, or the MPI library has served it
    StatRow* row = nullptr;
    Learner learner{};
    std::int64_t began = 0;                         ///< 0: it is not timed
    FirstCalls* first_calls = nullptr;              ///< that the call was counted among
    std::recursive_mutex* among_threads = nullptr;  ///< that the lesson needs; null: none
    bool waits = false;  ///< not a collective, but MPI_Wait or one of its kind
};

/// Whether the calls of a key are passed on to the MPI library as long as the key holds, wherever
/// their buffers are. To be asked once the key is made: the generation that it holds in ends when a
/// library is loaded, which may be a GPU's.
inline bool stays_passed() {
    if (!settings().stages()) return true;
    return !settings().asks_for_gpu() && hopbine_tells_loads &&
           (!device::Runtime::get().loaded() || passes_on_device());
}

/// An exact sum that a thread has made before.
struct KnownSum {
    RouteKey key;
    ExactCall exact;
    /// Whether no memory is a device's as long as the key holds. To be asked once the key is made,
    /// as stays_passed().
    bool on_host = false;
};

/// What is to be learned of a call that is under way.
struct LaterLesson {
    Learner learner{};
    bool refused = false;
};

/// What a thread remembers of its calls. Zeros are its state before the first one.
struct ThreadState {
    Last last;
    Arrival arrival;
    LaterLesson* later = nullptr;        ///< what waits for the call's copies; null: nothing does
    unsigned first_calls = 0;            ///< blocking ones of this thread, on any communicator
    const PassedRoute* timed = nullptr;  ///< of the call that serve() follows; null: none
    EarlyCommunicators early;
    RouteCache<PassedRoute, 256> passed;
    RouteCache<CountedRoute, 8> counted;  ///< of `passed`, those with counts in arrays
    RouteCache<KnownSum, 8> sums;

    /// Remembers that the MPI library serves all calls of the collective on the communicator. Not
    /// where statistics count them, or the next one may be on device memory, or an exact sum.
    void remember_all(const Call& c, Form form) {
        if (!settings().stats.empty() || (settings().exact_sums && reduces(c.collective))) return;
        const PassedRoute all{.key = RouteKey::of_all(c, form)};
        if (stays_passed()) passed.keep_of_all(c, form, all);
    }
    /// A code of mpi/state/passing.hpp where the MPI library serves the blocking call, known from
    /// calls before. Counts the call. Else 0: serve() is to follow, also where the call has to be
    /// timed. Inlined where the call is described, so that only what is compared is loaded. So it
    /// calls nothing with the call, which would have to be stored for that.
    [[gnu::always_inline]] int passes(const Call& c) {
        if (!c.among_neighbors)
            if (FirstCalls* const first = early.find(c.comm))
                return pass_first(*first, Form::blocking);
        const PassedRoute* const known = c.counts && !c.varies ? counted.find(c, Form::blocking)
                                                               : passed.find(c, Form::blocking);
        if (known) {
            if (known->measured && !known->measured->passes()) {
                timed = known;
                return 0;
            }
        } else if (!passed.find_of_all(c, Form::blocking)) {
            return 0;
        }
        last.served = select::kLibrary;
        return kPass;
    }
    /// Passes on one of a communicator's first calls.
    int pass_first(FirstCalls& first, Form form);
    /// passes() for a call whose kind it knows and that may have to be timed.
    int passes_timed(const Call& c);
    /// Whether the MPI library serves the nonblocking call, known from calls before.
    [[gnu::always_inline]] bool passes_nonblocking(const Call& c) {
        if (!passed.find_of_all(c, Form::nonblocking) && !passed.find(c, Form::nonblocking))
            return false;
        last.served = select::kLibrary;
        return true;
    }
};

/// Makes the state of this thread.
ThreadState& first_call();
/// The state of this thread. The pointer to it lies in the preload library, where it is found
/// without a function call: that would take as long as half the checks of a call that is passed on.
inline ThreadState& this_thread() {
    return hopbine_thread ? *static_cast<ThreadState*>(hopbine_thread) : first_call();
}

/// Carries out the route of a blocking call that passes() does not know: serves it, or returns
/// kPass or kPassTimed. Any other value is an MPI error code, noted for the communicator's error
/// handler.
int serve(const Call& call);
/// serve() for a call of hopbine's own on words of exact sums, which is as quick as an entry point.
int serve_words(const Call& call);
/// Carries out that of a nonblocking call: starts it, or returns kPass.
int start(const Call& call, MPI_Request* request);
/// Carries out that of MPI_..._init, or returns kPass: the MPI library makes the request.
/// Collective.
int make_persistent(const Call& call, MPI_Request* request);
/// Called before MPI is finalized: waits for nonblocking calls that the program has left to
/// themselves, and frees all persistent requests, of which none is under way.
void end_nonblocking();
void end_persistent();

}  // namespace hopbine::mpi
