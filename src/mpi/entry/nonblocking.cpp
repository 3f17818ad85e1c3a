#include <utility>

#include "mpi/entry/thread_state.hpp"
#include "mpi/progress/library_progress.hpp"
#include "mpi/progress/progress_thread.hpp"
#include "mpi/requests/nonblocking_call.hpp"
#include "mpi/state/errors.hpp"
#include "mpi/state/neighborhood.hpp"
#include "runtime/settings.hpp"
#include "select/size_class.hpp"

namespace hopbine::mpi {

namespace {

/// Whether the MPI library serves the call, known at once and on all ranks.
bool passes(const Call& c, Nonblocking& of, const KnownToAll& key, const Arguments& known) {
    Communicator& choice = of.choice();
    if (!choice.decides_at_once(c.collective, key.bytes, key.root, key.operands)) return false;
    const Served& served = choice.decide(c.collective, key.bytes, key.root, key.operands).served;
    if (served.plan && !(served.for_many && of.is_early())) return false;
    if (served.row) row_here(served.row)->add(choice.rank, known.bytes, 0);
    if (!served.plan && choice.decides_for_ever(c.collective) && !settings().staged)
        this_thread().passed_nonblocking.set(c, {c, choice, known});
    return true;
}

/// Whether the MPI library serves all calls of the collective. Sets the neighbours of others. What
/// blocking calls among neighbours have found is known on all ranks: they made the same ones.
bool passes_all(Call& c, Communicator& state, Communicator& choice) {
    if (!c.among_neighbors) return settings().stats.empty() && choice.library_only(c.collective);
    const bool out = Neighborhood::of(state).library_only(c.neighbor_blocks());
    if (!out) c.neighbors = &Neighborhood::of(choice).mine();
    return out;
}

/// Whether it does whatever the communicator, on these ranks: nothing is made for it then.
bool passes_at_once(const Call& c, Communicator& state) {
    return !c.among_neighbors && settings().stats.empty() && !state.unusable() &&
           state.library_only(c.collective, Form::nonblocking);
}

/// Counts a call that the MPI library serves for a reason that is no matter of choice.
void count_passed(const Call& c, const Communicator& state, const Arguments& known,
                  const char* why) {
    if (settings().stats.empty()) return;
    const int root = rooted(c.collective) ? c.root : -1;
    row_here(stat_row({state.size, called(c), Form::nonblocking, root,
                       select::size_class(c.varies ? select::kUnknown : known.bytes),
                       select::kLibrary, "", "", why}))
        ->add(state.rank, known.bytes, 0);
}

/// A kind of calls that hopbine serves whatever is measured. Its arguments need not be examined
/// again.
struct ServedKind : KindOfCall {
    Examined found;
    PlainBuffers buffers;

    ServedKind() = default;
    ServedKind(const Call& c, const Communicator& choice, const Examined& arguments)
        : KindOfCall(c, choice, arguments.known),
          found(arguments),
          buffers(c, choice.rank, arguments.known) {}
    bool is(const Call& c) const { return holds(c) && buffers.hold(c); }
};

/// The served kinds of all threads, which use them inside the engine.
LastKinds<ServedKind, 16>& served_kinds() {
    static auto& all = *new LastKinds<ServedKind, 16>;
    return all;
}

/// The call as an activity of hopbine's algorithms; null: the MPI library serves it. `refused`: it
/// reports an error, and the call leaves nothing behind.
Activity* activity_of(Call c, Communicator& state, MPI_Request* request, bool* refused) {
    if (passes_at_once(c, state)) {
        this_thread().nonblocking.remember(c);
        return nullptr;
    }
    const std::shared_ptr<Nonblocking>& of = Nonblocking::of(state);
    Communicator& choice = of->choice();
    if (choice.unusable() || passes_all(c, state, choice)) {
        this_thread().nonblocking.remember(c);
        return nullptr;
    }
    const auto serve = [&](const Examined& found, std::shared_ptr<const select::Choice> measured) {
        NonblockingCall& call = NonblockingCall::take();
        call.prepare(c, of, peers_of(state), found, std::move(measured), request);
        return &call;
    };
    if (const ServedKind* const same = served_kinds().find(c); same && same->is(c))
        return serve(same->found, {});
    Examined found;
    std::shared_ptr<const select::Choice> measured;
    *refused = !examine(c, choice, &found.known);
    if (*refused) return nullptr;
    if (needs_program(c, choice)) {
        count_passed(c, choice, found.known, kNeedsProgram);
        return nullptr;
    }
    found.key = known_to_all(c, choice, found.known);
    found.reduction = choice.reduction();
    if (!c.neighbors) {
        measured = state.measured(c.collective, found.key.bytes, found.key.operands);
        if (!measured && passes(c, *of, found.key, found.known)) return nullptr;
        if (choice.decides_for_ever(c.collective)) served_kinds().set(c, {c, choice, found});
    }
    return serve(found, std::move(measured));
}

/// A call on device memory that the MPI library serves, as an activity; null: it serves the call as
/// it is.
Activity* staged_activity_of(const Call& c, Communicator& state, MPI_Request* request) {
    const std::shared_ptr<Nonblocking>& of = Nonblocking::of(state);
    StagedCall staged;
    if (!staged.prepare(c, of->choice())) return nullptr;
    NonblockingCall& call = NonblockingCall::take();
    call.prepare_staged(staged, of, request);
    return &call;
}

/// Counts a call where the MPI library serves all nonblocking ones.
void count_unserved(Call c, Communicator& state) {
    if (settings().stats.empty() || state.unusable()) return;
    if (c.among_neighbors) c.neighbors = &Neighborhood::of(state).mine();
    Arguments known;
    if (examine(c, state, &known))
        count_passed(c, state, known, calls_progress() ? kDeviceLoaded : kNoProgress);
}

int start_unguarded(const Call& c, MPI_Request* request) {
    if (!World::alive() || c.comm == MPI_COMM_NULL || !request) return kPass;
    const auto [state, first_calls] = Communicator::at_call(c.comm, c.among_neighbors);
    if (first_calls) return pass_first(first_calls);
    if (!state) return kPass;
    const bool serves = calls_progress() && (!World::get().device_loaded() || settings().staged);
    if (!serves) count_unserved(c, *state);
    bool started = false, refused = false;
    if (serves && (!state->unusable() || settings().staged))
        started = Engine::get().start([&, state = state] {
            Activity* const own = activity_of(c, *state, request, &refused);
            return own || refused ? own : staged_activity_of(c, *state, request);
        });
    else
        this_thread().nonblocking.remember(c);
    if (started) return MPI_SUCCESS;
    note_served(select::kLibrary);
    return kPass;
}

}  // namespace

int start(const Call& c, MPI_Request* request) {
    try {
        return start_unguarded(c, request);
    } catch (const std::exception& e) {
        return raise_later(c.comm, error_class(e, c.collective, "nonblocking "));
    }
}

/// Keeps a call under way from being cancelled, which MPI forbids. The MPI library would cancel its
/// stand-in.
extern "C" HOPBINE_EXPORT int hopbine_MPI_Cancel(MPI_Request* request) {
    return request && Engine::get().has(*request) ? MPI_SUCCESS : kPass;
}

void end_nonblocking() {
    Engine::get().finish();
    ProgressThread::get().end();
    end_library_progress();
}

}  // namespace hopbine::mpi
