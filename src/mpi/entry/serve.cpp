#include "mpi/entry/serve.hpp"

#include <algorithm>
#include <atomic>

#include "mpi/bind/bind_buffers.hpp"
#include "mpi/entry/arguments.hpp"
#include "mpi/entry/device_mirror.hpp"
#include "mpi/entry/peer_agreement.hpp"
#include "mpi/entry/staged.hpp"
#include "mpi/entry/thread_state.hpp"
#include "mpi/progress/engine.hpp"
#include "mpi/state/communicator.hpp"
#include "mpi/state/errors.hpp"
#include "mpi/state/neighborhood.hpp"
#include "mpi/state/settings.hpp"
#include "mpi/state/wait_clock.hpp"
#include "mpi/state/world.hpp"
#include "select/size_class.hpp"

namespace hopbine::mpi {

namespace {

constinit thread_local ThreadState thread;
/// What served the last call that hopbine's own thread has ended and no thread has asked for.
std::atomic<const char*> served_elsewhere{nullptr};

/// Passes the call on to the MPI library; `row` and `learning`, if any, take its time.
int pass(StatRow* row, Learning* learning = nullptr, MPI_Comm comm = {}) {
    const bool timed = row || learning;
    thread.last = {.row = row, .learning = learning, .measured = comm, .began = timed ? now() : 0};
    return timed ? kPassTimed : kPass;
}

/// Counts a call, where there are statistics, and passes it on.
int pass_counted(StatRow* row, const Communicator& state, std::int64_t bytes,
                 Learning* learning = nullptr, MPI_Comm comm = {}) {
    StatRow* const here = row_here(row);
    if (here) here->add(state.rank, bytes, 0);
    return pass(here, learning, comm);
}

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

/// Passes on a call on a communicator that is never served.
int pass_all(const Call& c, Communicator& state) {
    if (settings().stats.empty()) return pass(nullptr);
    if (c.among_neighbors) {
        StatRow* const row =
            stat_row({state.size, name(c.neighbor_blocks()), Form::blocking, -1, select::kNoClass,
                      select::kLibrary, "", "", state.why_unusable()});
        return pass_counted(row, state, 0);
    }
    const Decision& d = state.decide(c.collective, 0, 0, Operands::exact);
    return pass_counted(d.served.row, state, 0);
}

/// Passes on a call, and remembers that the MPI library serves all such calls.
int pass_from_now_on(const Call& c) {
    thread.blocking.remember(c);
    return pass(nullptr);
}

/// Passes on a call of a collective that the MPI library serves whatever the arguments.
int pass_library_only(const Call& c, Communicator& state) {
    if (settings().stats.empty()) return pass_from_now_on(c);
    Arguments known;
    if (!examine(c, state, &known)) return pass(nullptr);
    const auto [bytes, root, operands] = known_to_all(c, state, known);
    const Decision& d = state.decide(c.collective, bytes, root, operands);
    return pass_counted(d.served.row, state, known.bytes);
}

/// Passes on a call because a buffer of this rank or of another is device memory.
int pass_on_device(const Call& c, Communicator& state, const Arguments& known) {
    if (settings().stats.empty()) return pass(nullptr);
    const int root = rooted(c.collective) ? c.root : -1;
    StatRow* const row = stat_row({state.size, called(c), Form::blocking, root,
                                   select::size_class(c.varies ? select::kUnknown : known.bytes),
                                   select::kLibrary, "", "", "device memory"});
    return pass_counted(row, state, known.bytes);
}

/// Runs the chosen plan.
int serve_planned(const Call& c, Communicator& state, const Served& served, Learning* learning,
                  const Arguments& known) {
    StatRow* const row = row_here(served.row);
    const std::int64_t began = row || learning ? now() : 0;
    thread.last = {.served = served.by};
    const Trimmed trimmed(c, state);
    const ServedCall served_call{c,
                                 state,
                                 *served.plan,
                                 known.send,
                                 known.recv,
                                 state.reduction(),
                                 state.endpoint(),
                                 state.workspace,
                                 state.nonuniform};
    const int error = state.device.here() ? run_mirrored(served_call) : run(served_call);
    const std::int64_t took = row || learning ? now() - began : 0;
    if (learning) learning->took(static_cast<double>(took) * 1e-9, c.comm);
    if (row) row->add(state.rank, known.bytes, took);
    if (served.tally) served.tally->add(known.bytes);
    if (c.varies && row) row->extra = std::max<std::int64_t>(row->extra, state.nonuniform.peak);
    return error != MPI_SUCCESS ? error : known.error;
}

/// Opens the communicator and agrees on device memory. False, on all ranks: the MPI library serves
/// every call.
bool agree(const Call& c, Communicator& state, bool* on_device) {
    if (state.is_open()) {
        *on_device = state.device.passes(c, state);
    } else {
        if (!state.open(device_use(c, state))) return false;
        *on_device = state.device.passing();
    }
    if (state.device.agreed() && settings().peers > 0) [[unlikely]]
        agree_on_peers(c, state);
    return true;
}

/// Whether the MPI library serves the call whatever its block sizes, which not all ranks know.
/// Saves their validation, which takes longer than a short call.
bool library_serves_all_sizes(const Call& c, Communicator& state) {
    const int root = rooted(c.collective) ? c.root : 0;
    return c.varies && settings().stats.empty() && root >= 0 && root < state.size &&
           !state.decide(c.collective, select::kUnknown, root, Operands::exact).served.plan;
}

/// `sizes_told`: all ranks know the bytes of the rank that sends most, and choose by them.
int serve_examined(const Call& c, Communicator& state, const Arguments& known, bool sizes_told) {
    const auto [bytes, root, operands] = known_to_all(c, state, known);
    Decision& d = state.decide(
        c.collective, sizes_told ? state.begin_alltoallv(known.bytes) : bytes, root, operands);
    const Served served = d.learning ? state.take_turn(d) : d.served;
    Learning* const learning = d.learning && d.learning->measures() ? d.learning : nullptr;
    if (!served.plan) {
        if (d.learning && !c.varies) thread.passed.remember(c, state, d.learning, known);
        if (sizes_told) state.end_alltoallv(nullptr, d.learning);
        return pass_counted(served.row, state, known.bytes, learning, c.comm);
    }
    Learning* const turns = d.learning;  // later decisions may take the place of `d`
    const int error = serve_planned(c, state, served, learning, known);
    if (sizes_told) state.end_alltoallv(served.plan, turns);
    return raise_later(c.comm, error);
}

/// Passes on a call that the MPI library refuses on this rank. It is not counted, as it has not
/// happened in the library: a right one may follow that other ranks take for it. But none is to
/// wait for this rank in the communicator's first call.
int pass_refused(Communicator& state) {
    if (!state.is_open() && state.open(DeviceUse::none)) state.device.started_by_refused();
    return pass(nullptr);
}

int serve_on(const Call& c, Communicator& state) {
    const bool sizes_told = c.collective == Collective::alltoallv && state.asks_sizes();
    if (!sizes_told && library_serves_all_sizes(c, state)) return pass(nullptr);
    Arguments known;
    if (!examine(c, state, &known)) return pass_refused(state);
    bool on_device = false;
    if (!agree(c, state, &on_device)) return pass_all(c, state);
    if (on_device) return pass_on_device(c, state, known);
    return serve_examined(c, state, known, sizes_told);
}

/// Serves a neighbourhood collective.
int serve_neighbors(Call c, Communicator& state) {
    const NeighborBlocks blocks = c.neighbor_blocks();
    Neighborhood& all = Neighborhood::of(state);
    c.neighbors = &all.mine();
    const auto pass_these = [&] {
        if (settings().stats.empty() && all.library_only(blocks)) return pass_from_now_on(c);
        return pass_counted(all.library_row(blocks), state, 0);
    };
    if (all.library_only(blocks)) return pass_these();
    Arguments known;
    if (!examine(c, state, &known)) return pass_refused(state);
    bool on_device = false;
    if (!agree(c, state, &on_device)) return pass_all(c, state);
    if (on_device) return pass_on_device(c, state, known);
    if (const int error = all.prepare(state.endpoint()); error != MPI_SUCCESS)
        return raise_later(c.comm, error);
    if (all.library_only(blocks)) return pass_these();
    const auto [served, learning] = all.take_turn(blocks, known.bytes, state.endpoint());
    if (served.plan) return raise_later(c.comm, serve_planned(c, state, served, learning, known));
    return pass_counted(served.row, state, known.bytes, learning, c.comm);
}

}  // namespace

int serve_as_given(const Call& c) {
    Communicator* const state =
        World::alive() && c.comm != MPI_COMM_NULL ? Communicator::of(c.comm) : nullptr;
    if (!state) return pass(nullptr);
    if (state->unusable()) return pass_all(c, *state);
    if (c.among_neighbors) return serve_neighbors(c, *state);
    if (state->library_only(c.collective)) return pass_library_only(c, *state);
    return serve_on(c, *state);
}

ThreadState& first_call() {
    hopbine_thread = &thread;
    return thread;
}

void note_served(const char* by) {
    if (Engine::get().on_own_thread())
        served_elsewhere = by;
    else
        this_thread().last.served = by;
}

int serve(const Call& c) {
    try {
        if (settings().staged && device::Runtime::get().loaded())
            if (const auto error = serve_staged(c)) return *error;
        return serve_as_given(c);
    } catch (const std::exception& e) {
        return raise_later(c.comm, error_class(e, c.collective, ""));
    }
}

}  // namespace hopbine::mpi

using hopbine::mpi::this_thread;

extern "C" {

/// Called when the MPI library has completed a call that was passed on.
HOPBINE_EXPORT void hopbine_passed(void) {
    auto& last = this_thread().last;
    if (last.waits) {
        last.waits = false;
        return hopbine::mpi::WaitClock::leave();
    }
    const std::int64_t took = hopbine::mpi::now() - last.began;
    if (last.row) last.row->nanoseconds.fetch_add(took, std::memory_order_relaxed);
    if (last.learning) last.learning->took(static_cast<double>(took) * 1e-9, last.measured);
    last.row = nullptr;
    last.learning = nullptr;
}

/// What served this thread's last collective: "bine_large", "ring:k=2", or "mpi".
HOPBINE_EXPORT const char* hopbine_last_served(void) {
    auto& last = this_thread().last;
    if (const char* const by = hopbine::mpi::served_elsewhere.exchange(nullptr)) last.served = by;
    return last.served;
}
}
