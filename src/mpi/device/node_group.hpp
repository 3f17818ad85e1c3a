/// Ranks of a node whose devices make a collective by one kernel each
/// (kernels/node_collectives.h).
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

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

    /// Whether the kernels serve the call where --gpu-peers asks for them. The same on all ranks,
    /// wherever their buffers are.
    static bool asked_for(const Call& c, const Communicator& state, std::int64_t bytes);
    /// Whether all of this rank's buffers that are on a device can be used where they lie.
    bool uses(const Call& c, const Communicator& state) const;
    /// Serves it. Returns an MPI error code.
    int run(const ServedCall& f);

private:
    int run_here(const ServedCall& f);
    bool run_kernels(const NodeCall& call);

    DeviceMemory& device_;
    device::NodeTurns turns_;
};

/// The group of the ranks of a communicator. Where they have none it is made, if the ranks are the
/// first of this process's that can have one. Collective then. `opened`: the other ranks' memory;
/// empty: this rank has not opened all of it, or they not this rank's. Null: there is none.
std::shared_ptr<NodeGroup> node_group_of(Communicator& state,
                                         const std::vector<const char*>& opened);

}  // namespace hopbine::mpi
