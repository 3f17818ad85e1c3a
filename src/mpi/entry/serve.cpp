// Carries out the routes of blocking calls.
#include "mpi/entry/serve.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "choice/measuring.hpp"
#include "mpi/bind/bind_buffers.hpp"
#include "mpi/device/device_mirror.hpp"
#include "mpi/device/device_use.hpp"
#include "mpi/device/node_call.hpp"
#include "mpi/device/node_group.hpp"
#include "mpi/device/peer_workspaces.hpp"
#include "mpi/device/staged.hpp"
#include "mpi/progress/engine.hpp"
#include "mpi/state/errors.hpp"
#include "mpi/sums/exact_sum.hpp"
#include "runtime/log.hpp"
#include "statistics/wait_clock.hpp"

namespace hopbine::mpi {

namespace {

/// Has a thread's state, until the thread ends.
struct Owner {
    void* memory = nullptr;  ///< that the state lies in
    Owner() = default;
    Owner(const Owner&) = delete;
    Owner& operator=(const Owner&) = delete;
    ~Owner() {
        hopbine_thread = nullptr;
        std::free(memory);
    }
};
thread_local Owner owner;
/// What served the last call that hopbine's own thread has ended and no thread has asked for. The
/// exchange acquires the text.
std::atomic<const char*> served_elsewhere{nullptr};

/// Frees the memory that an unusually large call has left behind: when it completes, with an
/// exception as well. Until then results may lie in it.
class Trimmed {
public:
    Trimmed(const Call& c, Communicator& state) : varies_(c.varies), state_(state) {}
    Trimmed(const Trimmed&) = delete;
    Trimmed& operator=(const Trimmed&) = delete;
    ~Trimmed() {
        state_.workspace.trim();
        if (varies_) state_.nonuniform.trim();
    }

private:
    const bool varies_;
    Communicator& state_;
};

/// Ends one of a communicator's first calls, which stands for others where it was timed.
void end_first_call(FirstCalls& first, std::int64_t began, bool refused) {
    if (refused) first.undo();
    if (began)
        account().pass_time(seconds_since(began) * FirstCalls::kPerTimed, FirstCalls::kPerTimed);
}

/// Passes on one of a communicator's first calls, and the next ones at once where nothing but
/// their number matters.
int pass_first(const Call& c, FirstCalls& first) {
    ThreadState& thread = this_thread();
    if (stays_passed()) thread.early.keep(c.comm, &first);
    return thread.pass_first(first, Form::blocking);
}

/// Passes the call on to the MPI library, which is timed if its time is wanted.
int pass(const Call& c, const Route& r) {
    if (r.first_calls) return pass_first(c, *r.first_calls);
    StatRow* const row = row_here(r.served.row);
    if (row) row->add(r.state->rank, r.known.bytes, 0);
    const bool timed = row || r.learner;
    this_thread().last = {.row = row, .learner = r.learner, .began = timed ? now() : 0};
    return timed ? kPassTimed : kPass;
}

/// Lets a learner know of a call: now, or when its copies have been made too. May be collective.
void learn(const Learner& learner, std::int64_t took, bool refused) {
    if (LaterLesson* const later = this_thread().later) {
        *later = {learner, refused};
        return;
    }
    try {
        if (refused)
            learner.refused();
        else
            learner.took(static_cast<double>(took) * 1e-9);
    } catch (const std::exception& e) {
        say_once(std::string("a choice could not be made: ") + e.what());
    }
}

/// Whether the devices of nodes serve the call, whatever its plan.
bool by_devices(const Call& c, const Route& r) {
    Communicator& state = *r.state;
    return state.node_group &&
           (r.served.by_devices ? fits_node(c, state)
                                : NodeGroup::asked_for(c, state, r.known.bytes));
}

/// Runs the plan.
int run_plan(const Call& c, const Route& r) {
    Communicator& state = *r.state;
    StatRow* const row = row_here(r.served.row);
    const bool timed = row || r.learner;
    const std::int64_t began = timed ? now() : 0;
    this_thread().last = {.served = r.served.by};
    const Trimmed trimmed(c, state);
    const ServedCall served{c,
                            state,
                            *r.served.plan,
                            r.known.send,
                            r.known.recv,
                            state.reduction(),
                            state.endpoint(),
                            state.workspace,
                            state.nonuniform};
    const bool devices = by_devices(c, r);
    const int error = devices               ? state.node_group->run(served)
                      : state.device.here() ? run_mirrored(served)
                                            : run(served);
    const std::int64_t took = timed ? now() - began : 0;
    if (r.learner) learn(r.learner, took, false);
    if (row) row->add(state.rank, r.known.bytes, took);
    if (r.served.tally && !devices) r.served.tally->add(r.known.bytes);
    if (c.varies && row) row->extra = std::max<std::int64_t>(row->extra, state.nonuniform.peak);
    if (r.sizes_told) state.decider.end_alltoallv(r.served.plan, state.nonuniform.max_bytes);
    return error != MPI_SUCCESS ? error : r.known.error;
}

/// Serves the call for the buffers that it has, wherever they are.
int carry_out(const Call& c) {
    const Route r = route(c, Form::blocking);
    if (!r.served.plan) return pass(c, r);
    if (!r.neighbors) return raise_later(c.comm, run_plan(c, r));
    Call among = c;
    among.neighbors = r.neighbors;
    return raise_later(c.comm, run_plan(among, r));
}

}  // namespace

ThreadState& first_call() {
    // Zeros are a state without calls. Of a state in the thread-local storage, or one that is
    // constructed, all its pages would be touched before a thread's first call, in every rank.
    static_assert(std::is_trivially_copyable_v<ThreadState>);
    std::size_t room = sizeof(ThreadState) + alignof(ThreadState) - 1;
    void* state = owner.memory = std::calloc(1, room);
    if (!state) throw std::bad_alloc();
    hopbine_thread = std::align(alignof(ThreadState), sizeof(ThreadState), state, room);
    return this_thread();
}

int ThreadState::passes_timed(const Call& c) {
    const PassedRoute* const known = std::exchange(timed, nullptr);
    if (!known) return 0;
    const auto hold = Communicator::among_threads(c.comm);
    MeasuredKind& kind = *known->measured;
    Learning& learning = Communicator::of(c.comm)->learning;
    if (kind.now != 0 || !kind.queue.empty() || learning.considers(kind)) return 0;
    learning.measuring().selector.turn(kind, true);
    Route r;
    r.learner = {&kind, &learning};
    const int answer = pass(c, r);
    last.among_threads = hold.mutex();
    return answer;
}

int ThreadState::pass_first(FirstCalls& first, Form form) {
    first.count();
    const bool timed = form == Form::blocking && ++first_calls % FirstCalls::kPerTimed == 0;
    last = {.began = timed ? now() : 0, .first_calls = &first};
    return timed ? kPassTimed : kPassCounted;
}

void note_served(const char* by) {
    if (Engine::get().on_own_thread())
        served_elsewhere = by;
    else
        this_thread().last.served = by;
}

namespace {

/// Keeps what this thread is to learn for later, as long as it lives.
class Postponed {
public:
    explicit Postponed(LaterLesson& to) { this_thread().later = &to; }
    Postponed(const Postponed&) = delete;
    Postponed& operator=(const Postponed&) = delete;
    ~Postponed() { this_thread().later = nullptr; }
};

}  // namespace

/// Serves a call in a process that has a GPU library. What is learned of one on device memory is
/// its time with the copies.
static int serve_anywhere(const Call& c) {
    const device::Runtime::Call asks_once;
    LaterLesson lesson;
    const std::int64_t began = now();
    std::optional<int> error;
    {
        const Postponed learning(lesson);
        error = serve_staged(c, carry_out);
    }
    if (lesson.learner) learn(lesson.learner, now() - began, lesson.refused);
    return error ? *error : carry_out(c);
}

/// Serves the call as it is.
static int serve_plainly(const Call& c) {
    try {
        if (device::Runtime::get().loaded()) [[unlikely]]
            return serve_anywhere(c);
        return carry_out(c);
    } catch (const std::exception& e) {
        return raise_later(c.comm, error_class(e, c.collective, ""));
    }
}

int serve_words(const Call& c) {
    if (const int passes = this_thread().passes(c)) return passes;
    const int passes = this_thread().passes_timed(c);
    return passes ? passes : serve_plainly(c);
}

/// Serves a sum exactly, where that can be.
static int serve_sum(const Call& c) {
    auto& sums = this_thread().sums;
    try {
        if (const KnownSum* const known = sums.find(c, Form::blocking))
            return known->on_host ? sum_host_memory(c, known->exact, serve_words)
                                  : sum_exactly(c, known->exact, serve_words);
        const std::optional<ExactCall> exact = examine_sum(c, Form::blocking);
        if (!exact) return serve_plainly(c);
        if (const auto key = RouteKey::of(c, Form::blocking, *exact->state, exact->known)) {
            KnownSum known{*key, *exact};
            known.on_host = hopbine_tells_loads && !device::Runtime::get().loaded();
            sums.keep(c, Form::blocking, known);
        }
        return sum_exactly(c, *exact, serve_words);
    } catch (const std::exception& e) {
        return raise_later(c.comm, error_class(e, c.collective, "exact "));
    }
}

/// Serves a call of which statistics tell how long the ranks are in it.
static int serve_timed(const Call& c) {
    Arrival& arrival = this_thread().arrival;
    arrival.come(c);
    const int answer = may_round(c) ? serve_sum(c) : serve_plainly(c);
    if (answer == kPassTimed)
        arrival.pass();
    else if (answer != kPass)
        arrival.leave(true);
    return answer;
}

int serve(const Call& c) {
    if (const int passes = this_thread().passes_timed(c)) return passes;
    const auto hold = Communicator::among_threads(c.comm);
    const int answer = !settings().stats.empty() ? serve_timed(c)
                       : may_round(c)            ? serve_sum(c)
                                                 : serve_plainly(c);
    if (answer == kPassTimed) this_thread().last.among_threads = hold.mutex();
    return answer;
}

}  // namespace hopbine::mpi

using hopbine::mpi::Learner;
using hopbine::mpi::this_thread;

extern "C" {

/// Called when the MPI library has completed a call that was passed on, with what it returned.
void hopbine_passed(int error) {
    // A message that was too long has come all the same.
    int kind_of_error = MPI_SUCCESS;
    if (error != MPI_SUCCESS) PMPI_Error_class(error, &kind_of_error);
    const bool refused = kind_of_error != MPI_SUCCESS && kind_of_error != MPI_ERR_TRUNCATE;
    auto& last = this_thread().last;
    if (last.waits) {
        last.waits = false;
        return hopbine::mpi::WaitClock::leave();
    }
    if (auto* const first = std::exchange(last.first_calls, nullptr))
        return hopbine::mpi::end_first_call(*first, last.began, refused);
    const std::int64_t took = hopbine::mpi::now() - last.began;
    hopbine::mpi::StatRow* const row = std::exchange(last.row, nullptr);
    if (row) row->nanoseconds.fetch_add(took, std::memory_order_relaxed);
    std::unique_lock<std::recursive_mutex> hold;
    if (last.among_threads) hold = std::unique_lock(*std::exchange(last.among_threads, nullptr));
    if (const Learner learner = std::exchange(last.learner, {}))
        hopbine::mpi::learn(learner, took, refused);
    if (row) this_thread().arrival.leave_passed(!refused);
}

/// What served this thread's last collective: "bine_large", "ring:k=2", or "mpi".
const char* hopbine_last_served(void) {
    auto& last = this_thread().last;
    if (const char* const by = hopbine::mpi::served_elsewhere.exchange(nullptr)) last.served = by;
    return last.served ? last.served : hopbine::select::kLibrary;
}
}
