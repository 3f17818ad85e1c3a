/// Ranks of a node whose devices make a collective by one kernel each
/// (kernels/node_collectives.h).
#pragma once
#include <cstdint>

#include "device/node_turns.hpp"
#include "mpi/bind/bind_buffers.hpp"
#include "mpi/device/device_memory.hpp"
#include "mpi/state/communicator.hpp"

namespace hopbine::mpi {

class NodeCall;

/// The ranks of a communicator, all of which have one another's memory open. Its calls are
/// blocking, so all ranks make them in the same order.
class NodeGroup {
public:
    NodeGroup(DeviceMemory& device, const device::NodeTurns& turns)
        : device_(device), turns_(turns) {}

    /// Whether the kernels serve the call. The same on all ranks, wherever their buffers are.
    bool serves(const Call& c, const Communicator& state, std::int64_t bytes) const;
    /// Serves it. Returns an MPI error code.
    int run(const ServedCall& f);

private:
    int run_here(const ServedCall& f);
    bool run_kernels(const NodeCall& call);

    DeviceMemory& device_;
    device::NodeTurns turns_;
};

/// Makes the group of a communicator whose ranks are all peers, in the first of this process's that
/// can have one. Collective over `state`. `all`: this rank has opened the memory of all others, and
/// they its.
void agree_on_node_group(Communicator& state, bool all);

}  // namespace hopbine::mpi
