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

/// A number that tests set otherwise, on all ranks.
std::size_t test_setting(const char* name, std::size_t usual);
/// Looks at a flag until a kernel gives up. 0: no kernels serve calls, so that plans do.
std::uint32_t patience();
/// Host memory for what the kernels of an arena tell of turns that are over (hopbine_node::over);
/// null: there is none.
std::uint32_t* turns_over(DeviceMemory& device);

/// Ranks of a node that have one another's memory open. Their calls are blocking, so all make them
/// in the same order, on whatever communicators.
class NodeGroup {
public:
    NodeGroup(DeviceMemory& device, const device::NodeTurns& turns)
        : device_(device), turns_(turns) {}

    /// Whether the kernels serve the call where --gpu-peers asks for them. The same on all ranks,
    /// wherever their buffers are.
    static bool asked_for(const Call& c, Communicator& state, std::int64_t bytes);
    /// Whether all of this rank's buffers that are on a device can be used where they lie.
    bool uses(const Call& c, const Communicator& state) const;
    /// Serves it. Returns an MPI error code.
    int run(const ServedCall& f);

private:
    int run_here(const ServedCall& f);
    int run_between(const ServedCall& f, const NodeCall& call);
    int run_kernels(const device::NodeParts& parts, const char* in, char* out);

    DeviceMemory& device_;
    device::NodeTurns turns_;
};

/// The group of the ranks of a communicator on each of its nodes. Where they have none it is made,
/// if they are the first of this process's that can have one. Collective then. `pairs`: whose
/// memory this rank has opened, and they this rank's. Null, on all ranks: there is none.
std::shared_ptr<NodeGroup> node_group_of(Communicator& state, const Peers* pairs);

}  // namespace hopbine::mpi
