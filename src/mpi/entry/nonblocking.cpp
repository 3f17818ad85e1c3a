// Carries out the routes of nonblocking calls.
#include "mpi/entry/route.hpp"
#include "mpi/entry/serve.hpp"
#include "mpi/progress/library_progress.hpp"
#include "mpi/progress/progress_thread.hpp"
#include "mpi/requests/nonblocking_call.hpp"
#include "mpi/state/errors.hpp"
#include "runtime/settings.hpp"

namespace hopbine::mpi {

namespace {

/// A call on device memory that the MPI library serves, as an activity; null: it serves the call as
/// it is.
Activity* staged_activity_of(const Call& c, const Route& r, MPI_Request* request) {
    if (!device::Runtime::get().loaded() || r.refused || !calls_progress() || passes_on_device() ||
        !World::alive() || c.comm == MPI_COMM_NULL)
        return nullptr;
    Communicator* const state = r.state ? r.state : Communicator::aside(c.comm);
    if (!state) return nullptr;
    const std::shared_ptr<Nonblocking>& of = Nonblocking::of(*state);
    StagedCall staged;
    if (!staged.prepare(c, of->choice())) return nullptr;
    if (r.first_calls) r.first_calls->count();
    NonblockingCall& call = NonblockingCall::take();
    call.prepare_staged(staged, of, request);
    return &call;
}

/// An exact sum whose words the MPI library adds, as an activity.
Activity* summed_activity_of(const Route& r, std::unique_ptr<LaterSum> sum, MPI_Request* request) {
    NonblockingCall& call = NonblockingCall::take();
    call.prepare_staged({sum->call(), {}, {}}, Nonblocking::of(*r.state), request);
    call.set_sum(std::move(sum));
    return &call;
}

/// The call as an activity; null: the MPI library serves it. Inside of the engine. `sum`: the call
/// is on words of it; null: it is the program's.
Activity* activity_of(const Call& c, const Route& r, std::unique_ptr<LaterSum> sum,
                      MPI_Request* request) {
    if (StatRow* const row = row_here(r.served.row)) row->add(r.state->rank, r.known.bytes, 0);
    if (!r.later && sum) return summed_activity_of(r, std::move(sum), request);
    if (!r.later) return staged_activity_of(c, r, request);
    NonblockingCall& call = NonblockingCall::take();
    call.prepare(c, Nonblocking::of(*r.state), peers_of(*r.state),
                 {r.known, r.key, *r.reduction, r.neighbors}, r.measured, request);
    call.set_sum(std::move(sum));
    return &call;
}

}  // namespace

int start(const Call& c, MPI_Request* request) {
    try {
        if (!request) return kPass;
        const auto hold = Communicator::among_threads(c.comm);
        FirstCalls* first_calls = nullptr;
        std::unique_ptr<LaterSum> sum = later_sum_of(c, Form::nonblocking);
        const bool started = Engine::get().start([&] {
            const Call call = sum ? sum->call() : c;
            const Route r = route(call, Form::nonblocking);
            first_calls = r.first_calls;
            return activity_of(call, r, std::move(sum), request);
        });
        if (started) return MPI_SUCCESS;
        if (first_calls) return this_thread().pass_first(*first_calls, Form::nonblocking);
        note_served(select::kLibrary);
        return kPass;
    } catch (const std::exception& e) {
        return raise_later(c.comm, error_class(e, c.collective, "nonblocking "));
    }
}

/// Keeps a call under way from being cancelled, which MPI forbids. The MPI library would cancel its
/// stand-in.
extern "C" int hopbine_MPI_Cancel(MPI_Request* request) {
    return request && Engine::get().has(*request) ? MPI_SUCCESS : kPass;
}

void end_nonblocking() {
    Engine::get().finish();
    ProgressThread::get().end();
    end_library_progress();
}

}  // namespace hopbine::mpi
