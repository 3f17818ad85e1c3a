#include "mpi/entry/passed.hpp"

#include "mpi/state/settings.hpp"

namespace hopbine::mpi {

KindOfCall::KindOfCall(const Call& c, const Communicator& state, const Arguments& valid)
    : collective(c.collective),
      root(c.root),
      comm(c.comm),
      send_count(c.send_count),
      recv_count(c.recv_count),
      send_type(c.send_type),
      recv_type(c.recv_type),
      op(c.op),
      epoch(Communicator::epoch) {
    const auto lasting = [](const Type& t) { return t.handle == MPI_DATATYPE_NULL || t.named; };
    known = settings().stats.empty() && lasting(valid.send) && lasting(valid.recv) &&
            (!reduces(c.collective) || state.reduction().predefined);
}

}  // namespace hopbine::mpi
