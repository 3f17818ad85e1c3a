#include "mpi/entry/passed.hpp"

#include "mpi/state/settings.hpp"

namespace hopbine::mpi {

void PassedCalls::remember(const Call& c, Communicator& state, Learning* learning,
                           const Arguments& known) {
    // Handles of derived datatypes and operations may come to mean others.
    const auto lasting = [](const Type& t) { return t.handle == MPI_DATATYPE_NULL || t.named; };
    if (settings().stats.empty() && lasting(known.send) && lasting(known.recv) &&
        (!reduces(c.collective) || state.reduction().predefined))
        kinds_[slot_of(c)] = {c.collective,
                              c.root,
                              c.comm,
                              c.send_count,
                              c.recv_count,
                              c.send_type,
                              c.recv_type,
                              c.op,
                              &state,
                              learning,
                              Communicator::epoch,
                              {c, state.rank, known}};
}

}  // namespace hopbine::mpi
