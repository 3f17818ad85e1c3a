#include "mpi/entry/passed.hpp"

#include "mpi/state/settings.hpp"

namespace hopbine::mpi {

namespace {

bool sends(const Call& c, bool root) {
    return c.collective != Collective::bcast && (c.collective != Collective::scatter || root);
}

bool receives(const Call& c, bool root) {
    return (c.collective != Collective::gather && c.collective != Collective::reduce) || root;
}

}  // namespace

/// Whether the significant buffers are such that no rank refuses them: all ranks count the same
/// calls, and a call that is refused is not counted.
bool PassedCalls::accepted_buffers(const Call& c, int rank) {
    const bool root = !rooted(c.collective) || c.root == rank, out = sends(c, root),
               in = receives(c, root);
    const auto given = [](const void* buffer) { return buffer && buffer != MPI_IN_PLACE; };
    return (!out || given(c.send)) && (!in || given(c.recv)) && !(out && in && c.send == c.recv);
}

void PassedCalls::remember(const Call& c, Communicator& state, Learning* learning,
                           const Arguments& known) {
    // Handles of derived datatypes and operations may come to mean others.
    const auto lasting = [](const Type& t) { return t.handle == MPI_DATATYPE_NULL || t.named; };
    if (settings().stats.empty() && lasting(known.send) && lasting(known.recv) &&
        (!reduces(c.collective) || state.reduction().predefined))
        kinds_[slot_of(c)] = {c.collective,       c.root,      c.comm, c.send_count, c.recv_count,
                              c.send_type,        c.recv_type, c.op,   &state,       learning,
                              Communicator::epoch};
}

}  // namespace hopbine::mpi
