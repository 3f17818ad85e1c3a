#include "mpi/call.hpp"

#include <algorithm>
#include <ctime>
#include <new>

#include "mpi/alltoallv.hpp"
#include "mpi/communicator.hpp"
#include "mpi/device_mirror.hpp"
#include "mpi/frame.hpp"
#include "mpi/gatherv.hpp"
#include "mpi/log.hpp"
#include "mpi/persistent.hpp"
#include "mpi/settings.hpp"
#include "mpi/side.hpp"

namespace hopbine::mpi {

namespace {

/// No row of the statistics: they are not kept, or not of this call.
constexpr StatRow* nobody = nullptr;

/// The last call of this thread: what served it, and since when the MPI library is at it when it was passed on.
struct Last {
    const char* served = select::kLibrary;
    StatRow* row = nullptr;
    std::int64_t began = 0;
};
thread_local Last last;

std::int64_t now() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

bool usable(std::int64_t count, const Type& t) { return count >= 0 && t.usable; }

/// Reductions share count, datatype and operation, so that these may decide: elements that overlap or hold nothing, and
/// predefined operations that are not defined on the type (the MPI library has its own words for that), are not for hopbine.
bool reducible(const Call& c, const Type& t, Communicator& state) {
    return c.op != MPI_OP_NULL && t.usable && t.size > 0 && t.extent > 0 && state.reduction(c.op, t).defined;
}

/// Sizes of blocks are known to all ranks.
bool examine_allgatherv(const Call& c, const Communicator& state, Type* send, Type* recv, std::int64_t* bytes) {
    *recv = describe(c.recv_type);
    if (!recv->usable || !c.displacements) return false;
    const Side all(c.recv, state.size, c.counts, c.displacements, *recv, MPI_COMM_NULL);
    *bytes = all.all();
    if (c.send == MPI_IN_PLACE || *bytes < 0) return *bytes >= 0;
    *send = describe(c.send_type);
    return usable(c.send_count, *send) && c.send_count * send->size == all.bytes(state.rank);
}

/// Everything that must be right before hopbine looks at the call; what is wrong goes to the MPI library, which reports it.
/// On return `bytes` is equal on all ranks: the vector, or a block times p.
bool examine(const Call& c, Communicator& state, Type* send, Type* recv, std::int64_t* bytes) {
    const int p = state.size;
    const bool root = state.rank == c.root, in_place = c.send == MPI_IN_PLACE;
    if (rooted(c.collective) && (c.root < 0 || c.root >= p)) return false;
    switch (c.collective) {
    case Collective::bcast: case Collective::reduce: case Collective::allreduce: case Collective::reduce_scatter:
        *recv = describe(c.recv_type);
        if (!usable(c.recv_count, *recv) || (reduces(c.collective) && !reducible(c, *recv, state))) return false;
        if (c.collective == Collective::reduce && in_place && !root) return false;
        *bytes = c.recv_count * recv->size;
        if (c.collective != Collective::reduce_scatter) return true;
        if (!c.counts) {
            *bytes *= p;
            return true;
        }
        *bytes = 0;
        for (int b = 0; b < p; ++b) {
            const std::int64_t n = c.counts[b];
            if (n < 0) return false;
            *bytes += n * recv->size;
        }
        return true;
    case Collective::gather: case Collective::scatter: {
        if (c.varies) return sound_gatherv(c, state.rank, p, send, recv, bytes);
        const bool gathering = c.collective == Collective::gather;
        const void* own = gathering ? c.send : c.recv;
        const bool own_in_place = own == MPI_IN_PLACE;
        if (own_in_place && !root) return false;
        if (gathering ? !own_in_place : root) *send = describe(c.send_type);
        if (gathering ? root : !own_in_place) *recv = describe(c.recv_type);
        if ((gathering ? !own_in_place : root) && !usable(c.send_count, *send)) return false;
        if ((gathering ? root : !own_in_place) && !usable(c.recv_count, *recv)) return false;
        const std::int64_t mine = gathering ? c.send_count * send->size : c.recv_count * recv->size;
        const std::int64_t all = gathering ? c.recv_count * recv->size : c.send_count * send->size;
        if (root && !own_in_place && mine != all) return false;
        *bytes = (root ? all : mine) * p;
        return true;
    }
    case Collective::alltoallv: return sound_alltoallv(c, p, send, recv, bytes);
    case Collective::allgather:
        if (c.counts) return examine_allgatherv(c, state, send, recv, bytes);
        [[fallthrough]];
    default:
        *recv = describe(c.recv_type);
        if (!usable(c.recv_count, *recv)) return false;
        if (!in_place) {
            *send = describe(c.send_type);
            if (!usable(c.send_count, *send) || c.send_count * send->size != c.recv_count * recv->size) return false;
        }
        *bytes = c.recv_count * recv->size * p;
        return true;
    }
}

int pass(StatRow* row) {
    last = {select::kLibrary, row, row ? now() : 0};
    return kPass;
}

int pass(const Decision* d) { return pass(d ? d->row : static_cast<StatRow*>(nullptr)); }

void record(StatRow* row, const Communicator& state, std::int64_t bytes, std::int64_t took) {
    if (state.rank == 0) {
        row->calls.fetch_add(1, std::memory_order_relaxed);
        row->bytes.fetch_add(bytes, std::memory_order_relaxed);
    }
    row->nanoseconds.fetch_add(took, std::memory_order_relaxed);
}

/// The MPI library serves the call, as its buffers or another rank's are device memory. `known`: to all ranks.
int pass_on_device(const Call& c, const Communicator& state, std::int64_t known, std::int64_t bytes) {
    if (settings().stats.empty()) return pass(nobody);
    const int root = rooted(c.collective) ? c.root : -1, sizes = known < 0 ? kNoClass : size_class(known);
    StatRow* const row = stat_row({state.size, c.collective, root, sizes, select::kLibrary, "", "", "device memory"});
    record(row, state, bytes, 0);
    return pass(row);
}

bool initialized() {
    static thread_local bool seen = false;
    if (seen) return true;
    int flag = 0;
    PMPI_Initialized(&flag);
    return seen = flag != 0;
}

int serve_unguarded(const Call& c) {
    if (!initialized() || c.comm == MPI_COMM_NULL) return pass(nobody);
    Communicator* state = Communicator::of(c.comm);
    if (!state) return pass(nobody);
    Type send, recv;
    std::int64_t bytes = 0;
    if (state->passes_all()) {
        if (settings().stats.empty()) return pass(nobody);
        const Decision& d = state->decide(c.collective, 0, 0, Operands::exact);
        record(d.row, *state, 0, 0);
        return pass(&d);
    }
    const bool passing = state->device.passing(), device = passing && state->device.passes(c, *state);
    if (device && settings().stats.empty()) return pass(nobody);
    const int root = rooted(c.collective) ? c.root : 0;
    const bool told = !device && c.collective == Collective::alltoallv && state->asks_sizes();  // how much the busiest rank sends
    // What the library serves whatever the counts are is not looked at, which takes longer than a short call.
    if (c.varies && !told && settings().stats.empty() && root >= 0 && root < state->size)
        if (const Decision& d = state->decide(c.collective, select::kUnknown, root, Operands::exact); !d.plan) return pass(&d);
    if (!examine(c, *state, &send, &recv, &bytes)) return pass(nobody);
    if (device) return pass_on_device(c, *state, c.varies ? select::kUnknown : bytes, bytes);
    const Operands operands = reduces(c.collective) ? state->reduction(c.op, recv).operands() : Operands::exact;
    const std::int64_t known = told ? state->begin_alltoallv(bytes) : c.varies ? select::kUnknown : bytes;  // to all ranks
    const Decision& d = state->decide(c.collective, known, root, operands);
    if (!d.plan) {
        if (d.row) record(d.row, *state, bytes, 0);
        if (told) state->end_alltoallv(nullptr);
        return pass(&d);
    }
    if (!passing && state->device.passes(c, *state)) {
        if (told) state->end_alltoallv(nullptr);
        return pass_on_device(c, *state, known, bytes);
    }
    const std::int64_t began = d.row ? now() : 0;
    StatRow* row = d.row;
    const Plan* plan = d.plan;
    last = {d.served, nullptr, 0};
    const Frame frame{c, *state, *plan, send, recv};
    const int error = state->device.here() ? run_mirrored(frame) : run(frame);
    if (row) record(row, *state, bytes, now() - began);
    if (c.varies && row) row->extra = std::max<std::int64_t>(row->extra, state->workspace.nonuniform.peak);
    if (told) state->end_alltoallv(plan);
    if (error == MPI_SUCCESS) return MPI_SUCCESS;
    PMPI_Comm_call_errhandler(c.comm, error);
    return error;
}

}  // namespace

int serve(const Call& c) {
    try {
        return serve_unguarded(c);
    } catch (const std::bad_alloc&) {
        PMPI_Comm_call_errhandler(c.comm, MPI_ERR_NO_MEM);
        return MPI_ERR_NO_MEM;
    } catch (const std::exception& e) {
        say(std::string("internal error in ") + name(c.collective) + ": " + e.what());
        PMPI_Comm_call_errhandler(c.comm, MPI_ERR_INTERN);
        return MPI_ERR_INTERN;
    }
}

}  // namespace hopbine::mpi

using hopbine::mpi::last;

extern "C" {

#define HOPBINE_EXPORT __attribute__((visibility("default")))

/// The MPI library has finished a call that was passed on.
HOPBINE_EXPORT void hopbine_passed(void) {
    if (last.row) last.row->nanoseconds.fetch_add(hopbine::mpi::now() - last.began, std::memory_order_relaxed);
    last.row = nullptr;
}

/// What served this thread's last collective: "bine_large", "ring:k=2", or "mpi".
HOPBINE_EXPORT const char* hopbine_last_served(void) { return last.served; }

/// Algorithms to use from the next call on, as in HOPBINE_ALGORITHM; null: the settings again. To be called by all
/// ranks alike. 0, or 1 with a message on standard error.
HOPBINE_EXPORT int hopbine_select(const char* algorithms) {
    try {
        hopbine::mpi::override_algorithms(algorithms);
        return 0;
    } catch (const std::exception& e) {
        hopbine::mpi::say_once(e.what());
        return 1;
    }
}

/// Before MPI_Finalize: statistics out, own communicators freed.
HOPBINE_EXPORT void hopbine_finalize(void) {
    int begun = 0, ended = 0;
    PMPI_Initialized(&begun);
    PMPI_Finalized(&ended);
    if (!begun || ended) return;
    try {
        hopbine::mpi::write_stats(hopbine::mpi::settings().stats);
    } catch (const std::exception& e) {
        hopbine::mpi::say(std::string("no statistics: ") + e.what());
    }
    hopbine::mpi::end_requests();
    hopbine::mpi::Communicator::end_all();
    hopbine::mpi::end_copying();
}
}
