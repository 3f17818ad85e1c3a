/// What a thread remembers of its calls, and the calls that are passed on from memory alone.
#pragma once
#include "mpi/entry/route.hpp"
#include "mpi/entry/route_cache.hpp"
#include "mpi/entry/serve.hpp"
#include "mpi/state/stats.hpp"
#include "runtime/settings.hpp"

namespace hopbine::mpi {

/// The last call of this thread: what served it, and when it was passed on to the MPI library.
struct Last {
    const char* served = select::kLibrary;
    StatRow* row = nullptr;
    Learner learner{};
    std::int64_t began = 0;
    int* first_calls = nullptr;  ///< of the call's communicator, if it is one of them
    bool waits = false;          ///< not a collective, but MPI_Wait or one of its kind
};

struct ThreadState {
    Last last;
    RouteCache<PassedRoute, 512> passed;

    /// Remembers that the MPI library serves all calls of the collective on the communicator. Not
    /// where statistics count them, or the next one may be on device memory.
    void remember_all(const Call& c, Form form) {
        if (settings().stats.empty() && !settings().staged)
            passed.keep_of_all(c, form, {.key = RouteKey::of_all(c, form)});
    }
    /// kPass or kPassTimed where the MPI library serves the blocking call, known from calls before.
    /// Counts the call. Else 0. Inlined where the call is described, so that only what is compared
    /// is loaded, and nothing is stored for other functions.
    [[gnu::always_inline]] int passes(const Call& c) {
        if (!passed.find_of_all(c, Form::blocking)) {
            const PassedRoute* const known = passed.find(c, Form::blocking);
            if (!known || !known->buffers.hold(c)) return 0;
            if (!known->measured->passes()) return passes_timed(*known);
        }
        last.served = select::kLibrary;
        return kPass;
    }
    /// passes() for a call whose kind is known and that may have to be timed.
    int passes_timed(const PassedRoute& known);
    /// Whether the MPI library serves the nonblocking call, known from calls before.
    [[gnu::always_inline]] bool passes_nonblocking(const Call& c) {
        if (!passed.find_of_all(c, Form::nonblocking) && !passed.find(c, Form::nonblocking))
            return false;
        last.served = select::kLibrary;
        return true;
    }
};

}  // namespace hopbine::mpi
