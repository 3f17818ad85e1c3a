/// The front door: decides what serves a call of the program, whatever its form.
#pragma once
#include <memory>

#include "mpi/arguments/arguments.hpp"
#include "mpi/state/communicator.hpp"

namespace hopbine::mpi {

/// What learns from the time that a call takes.
struct Learner {
    MeasuredKind* kind = nullptr;   ///< of the call; null: it is not timed
    TimesOfCalls* times = nullptr;  ///< learn of it
    explicit operator bool() const { return kind; }
    void took(double seconds) const { times->took(*kind, seconds); }
    void refused() const { times->refused(*kind); }
};

/// What is to become of a call: the MPI library serves it, or a plan does.
struct Route {
    /// Null: nothing is kept of the communicator, and the MPI library serves.
    Communicator* state = nullptr;
    /// The plan, and the row of the statistics that has such calls. No plan: the MPI library
    /// serves, unless `later`.
    Served served;
    /// hopbine serves; the plan is chosen over the call's own tags, which it does not have yet.
    bool later = false;
    Learner learner;
    /// Why the MPI library serves, where that is no matter of choice. Lasts as the communicator.
    const char* why = nullptr;
    /// The MPI library will refuse the call on this rank.
    bool refused = false;
    /// An MPI error code, with which a persistent call by hopbine's own function ends that hopbine
    /// cannot serve.
    int error = MPI_SUCCESS;
    /// The first calls of its communicator, where it is passed on as one of them.
    FirstCalls* first_calls = nullptr;

    Arguments known;  ///< validated, where a plan serves
    KnownToAll key{};
    const Neighbors* neighbors = nullptr;  ///< of a neighbourhood collective that a plan serves
    const Reduction* reduction = nullptr;  ///< `later`: until the next call
    /// The plan of an alltoallv was chosen by sizes: Decider::end_alltoallv() follows it.
    bool sizes_told = false;
    /// What blocking calls have measured, for a nonblocking one; null: nothing that decides.
    std::shared_ptr<const select::Choice> measured;
    /// The MPI library cannot serve this persistent call: some rank's buffers are on a device, or
    /// the program asks for hopbine.
    bool must = false;
    /// Some rank's buffers are on a device, in a persistent call.
    bool on_device = false;
};

/// Decides on a call. The same on all ranks, but for calls that this rank's arguments make the MPI
/// library refuse. May be collective, and throw. Of a nonblocking call inside of the engine.
Route route(const Call& c, Form form);

// Parts of route(): what it says of calls in each form. `r.state` is set.
void route_blocking(const Call& c, Route& r);
void route_nonblocking(const Call& c, Route& r);
void route_persistent(const Call& c, Route& r);

/// Chooses the plan of a persistent call, of which route() has said `later`. `state`: of the
/// communicator's persistent calls, which counts over the call's endpoint. Collective. No plan: the
/// MPI library serves.
Served choose_persistent(const Call& c, const Route& r, Communicator& state);

/// Passes on a call for a reason that is no matter of choice, which statistics tell.
void pass_because(const char* why, const Call& c, Form form, Route& r);

}  // namespace hopbine::mpi
