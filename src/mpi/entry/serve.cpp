#include "mpi/entry/serve.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "mpi/arguments/arguments.hpp"
#include "mpi/bind/bind_buffers.hpp"
#include "mpi/device/device_mirror.hpp"
#include "mpi/device/device_use.hpp"
#include "mpi/device/peer_workspaces.hpp"
#include "mpi/device/staged.hpp"
#include "mpi/entry/thread_state.hpp"
#include "mpi/progress/engine.hpp"
#include "mpi/state/communicator.hpp"
#include "mpi/state/errors.hpp"
#include "mpi/state/log.hpp"
#include "mpi/state/neighborhood.hpp"
#include "mpi/state/wait_clock.hpp"
#include "mpi/state/world.hpp"
#include "runtime/settings.hpp"
#include "select/size_class.hpp"

namespace hopbine::mpi {

namespace {

constinit thread_local ThreadState thread;
/// What served the last call that hopbine's own thread has ended and no thread has asked for.
std::atomic<const char*> served_elsewhere{nullptr};

/// Passes the call on to the MPI library; `row` and `kind`, if any, take its time.
int pass(StatRow* row, MeasuredKind* kind = nullptr, TimesOfCalls* times = nullptr) {
    const bool timed = row || kind;
    thread.last = {.row = row, .kind = kind, .times = times, .began = timed ? now() : 0};
    return timed ? kPassTimed : kPass;
}

/// Counts a call, where there are statistics, and passes it on.
int pass_counted(StatRow* row, const Communicator& state, std::int64_t bytes,
                 MeasuredKind* kind = nullptr, TimesOfCalls* times = nullptr) {
    StatRow* const here = row_here(row);
    if (here) here->add(state.rank, bytes, 0);
    return pass(here, kind, times);
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

/// Passes on a call, and remembers that the MPI library serves all such calls.
int pass_from_now_on(const Call& c) {
    thread.blocking.remember(c);
    return pass(nullptr);
}

/// Passes on a call on a communicator that is never served.
int pass_all(const Call& c, Communicator& state) {
    if (settings().stats.empty()) return pass_from_now_on(c);
    if (c.among_neighbors) {
        StatRow* const row =
            stat_row({state.size, name(c.neighbor_blocks()), Form::blocking, -1, select::kNoClass,
                      select::kLibrary, "", "", state.why_unusable()});
        return pass_counted(row, state, 0);
    }
    const Decision& d = state.decide(c.collective, 0, 0, Operands::exact);
    return pass_counted(d.served.row, state, 0);
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
int serve_planned(const Call& c, Communicator& state, const Served& served, const Arguments& known,
                  MeasuredKind* kind = nullptr, TimesOfCalls* times = nullptr) {
    StatRow* const row = row_here(served.row);
    const std::int64_t began = row || kind ? now() : 0;
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
    const std::int64_t took = row || kind ? now() - began : 0;
    if (kind) times->took(*kind, static_cast<double>(took) * 1e-9);
    if (row) row->add(state.rank, known.bytes, took);
    if (served.tally) served.tally->add(known.bytes);
    if (c.varies && row) row->extra = std::max<std::int64_t>(row->extra, state.nonuniform.peak);
    return error != MPI_SUCCESS ? error : known.error;
}

/// Opens the communicator and agrees on device memory. False, on all ranks: the MPI library serves
/// every call.
bool agree(const Call& c, Communicator& state, bool* on_device) {
    if (state.is_open()) {
        *on_device = state.device.passes(device_use(c, state), state);
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

/// Serves a call by rules, by counting, or by the table. `sizes_told`: all ranks know the maximum
/// send size over all ranks, and choose by it.
int serve_decided(const Call& c, Communicator& state, const Arguments& known, const KnownToAll& key,
                  bool sizes_told) {
    const Served served =
        state
            .decide(c.collective, sizes_told ? state.begin_alltoallv(known.bytes) : key.bytes,
                    key.root, key.operands)
            .served;
    const int code = served.plan ? serve_planned(c, state, served, known)
                                 : pass_counted(served.row, state, known.bytes);
    if (sizes_told) state.end_alltoallv(served.plan);
    return served.plan ? raise_later(c.comm, code) : code;
}

/// Serves a call of a kind that is measured.
int serve_measured(const Call& c, Communicator& state, MeasuredKind& kind, const Arguments& known,
                   const KnownToAll& key) {
    state.consider(kind, key.bytes, key.root);
    select::Selector& selector = state.measuring().selector;
    if (c.varies) state.measuring().note_sent(known.bytes);
    const auto [arm, timed, barrier] = selector.turn(kind, state.ready_for(kind));
    if (barrier) PMPI_Barrier(c.comm);
    MeasuredKind* const measures = timed ? &kind : nullptr;
    const auto served = [&] {
        return state.served_by(kind, arm, c.collective, key.bytes, key.root, key.operands);
    };
    if (arm == 0) {
        const bool counted = !settings().stats.empty();
        if (!counted && !settings().staged && !c.varies)
            thread.passed.remember(c, state, kind, known);
        return pass_counted(counted ? served().row : nullptr, state, known.bytes, measures, &state);
    }
    bool on_device = false;
    if (!agree(c, state, &on_device) || on_device) {
        if (timed) selector.undo(kind);
        return on_device ? pass_on_device(c, state, known) : pass_all(c, state);
    }
    const Served by = served();
    if (!by.plan) return pass_counted(by.row, state, known.bytes, measures, &state);
    return raise_later(c.comm, serve_planned(c, state, by, known, measures, &state));
}

/// Passes on a call that the MPI library refuses on this rank. It is not counted, as it has not
/// happened in the library: a right one may follow that other ranks take for it. But none is to
/// wait for this rank in the communicator's first call, where that opens the communicator.
int pass_refused(Communicator& state) {
    if (!state.measures() && !state.is_open() && state.open(DeviceUse::none))
        state.device.started_by_refused();
    return pass(nullptr);
}

int serve_on(const Call& c, Communicator& state) {
    const bool sizes_told = c.collective == Collective::alltoallv && state.asks_sizes();
    if (!sizes_told && !state.measures() && library_serves_all_sizes(c, state))
        return pass(nullptr);
    Arguments known;
    if (!examine(c, state, &known)) return pass_refused(state);
    const KnownToAll key = known_to_all(c, state, known);
    if (!sizes_told && state.measures()) {
        if (MeasuredKind* const kind =
                state.measured_kind(c.collective, key.bytes, key.root, key.operands))
            return serve_measured(c, state, *kind, known, key);
        const Served& served = state.decide(c.collective, key.bytes, key.root, key.operands).served;
        if (!served.plan) return pass_counted(served.row, state, known.bytes);
    }
    bool on_device = false;
    if (!agree(c, state, &on_device)) return pass_all(c, state);
    if (on_device) return pass_on_device(c, state, known);
    return serve_decided(c, state, known, key, sizes_told);
}

/// Serves a neighbourhood collective of a kind that is measured.
int serve_measured_neighbors(const Call& c, Communicator& state, Neighborhood& all,
                             MeasuredKind& kind, const Arguments& known) {
    const NeighborBlocks blocks = c.neighbor_blocks();
    all.note_sent(blocks, known.bytes);
    const auto [arm, timed, barrier] = all.selector().turn(kind, all.prepared());
    if (barrier) PMPI_Barrier(c.comm);
    MeasuredKind* const measures = timed ? &kind : nullptr;
    if (arm == 0) {
        StatRow* const row =
            settings().stats.empty() ? nullptr : all.served_by(kind, blocks, 0).row;
        return pass_counted(row, state, known.bytes, measures, &all);
    }
    bool on_device = false;
    if (!agree(c, state, &on_device) || on_device) {
        if (timed) all.refused(kind);
        return on_device ? pass_on_device(c, state, known) : pass_all(c, state);
    }
    const Served served = all.served_by(kind, blocks, arm);
    return raise_later(c.comm, serve_planned(c, state, served, known, measures, &all));
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
    if (MeasuredKind* const kind = all.measured_kind(blocks))
        return serve_measured_neighbors(c, state, all, *kind, known);
    bool on_device = false;
    if (!agree(c, state, &on_device)) return pass_all(c, state);
    if (on_device) return pass_on_device(c, state, known);
    if (const int error = all.prepare(state.endpoint()); error != MPI_SUCCESS)
        return raise_later(c.comm, error);
    if (all.library_only(blocks)) return pass_these();
    const Served served = all.decide(blocks, known.bytes, state.endpoint());
    if (served.plan) return raise_later(c.comm, serve_planned(c, state, served, known));
    return pass_counted(served.row, state, known.bytes);
}

}  // namespace

int serve_as_given(const Call& c) {
    if (!World::alive() || c.comm == MPI_COMM_NULL) return pass(nullptr);
    const auto [state, first_calls] = Communicator::at_call(c.comm, c.among_neighbors);
    if (first_calls) return pass_first(first_calls);
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

int ThreadState::passes_timed(const PassedCalls::Kind& kind) {
    MeasuredKind& measured = *kind.measured;
    if (measured.now != 0 || !measured.queue.empty()) return 0;
    if (kind.state->considers(measured)) return 0;
    kind.state->measuring().selector.turn(measured, true);
    return pass(nullptr, &measured, kind.state);
}

int pass_first(int* first_calls) {
    thread.last = {.first_calls = first_calls};
    return kPassTimed;
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
            if (const auto error = serve_staged(c, serve_as_given)) return *error;
        return serve_as_given(c);
    } catch (const std::exception& e) {
        return raise_later(c.comm, error_class(e, c.collective, ""));
    }
}

}  // namespace hopbine::mpi

using hopbine::mpi::MeasuredKind;
using hopbine::mpi::this_thread;

extern "C" {

/// Called when the MPI library has completed a call that was passed on, with what it returned.
HOPBINE_EXPORT void hopbine_passed(int error) {
    // A message that was too long has come all the same.
    int kind_of_error = MPI_SUCCESS;
    if (error != MPI_SUCCESS) PMPI_Error_class(error, &kind_of_error);
    const bool refused = kind_of_error != MPI_SUCCESS && kind_of_error != MPI_ERR_TRUNCATE;
    auto& last = this_thread().last;
    if (last.waits) {
        last.waits = false;
        return hopbine::mpi::WaitClock::leave();
    }
    if (int* const first_calls = std::exchange(last.first_calls, nullptr)) {
        if (!refused) ++*first_calls;
        return;
    }
    const std::int64_t took = hopbine::mpi::now() - last.began;
    if (last.row) last.row->nanoseconds.fetch_add(took, std::memory_order_relaxed);
    last.row = nullptr;
    MeasuredKind* const kind = std::exchange(last.kind, nullptr);
    if (!kind) return;
    try {
        if (refused)
            last.times->refused(*kind);
        else
            last.times->took(*kind, static_cast<double>(took) * 1e-9);
    } catch (const std::exception& e) {
        hopbine::mpi::say_once(std::string("a choice could not be made: ") + e.what());
    }
}

/// What served this thread's last collective: "bine_large", "ring:k=2", or "mpi".
HOPBINE_EXPORT const char* hopbine_last_served(void) {
    auto& last = this_thread().last;
    if (const char* const by = hopbine::mpi::served_elsewhere.exchange(nullptr)) last.served = by;
    return last.served;
}
}
