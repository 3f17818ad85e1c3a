/// Ranks of a node whose devices make a collective by one kernel each (kernels/allreduce.h).
#pragma once
#include <cstdint>
#include <memory>

#include "device/kernels/node.h"
#include "mpi/bind/bind_buffers.hpp"
#include "mpi/device/device_memory.hpp"
#include "mpi/state/communicator.hpp"

namespace hopbine::mpi {

/// The ranks of a communicator, all of which have one another's memory open. Its calls are
/// blocking, so all ranks make them in the same order.
class NodeGroup {
public:
    /// `arenas`: of all ranks, as this rank's device sees them.
    NodeGroup(DeviceMemory& device, const std::vector<const char*>& arenas, int rank);

    /// Whether there was memory for it.
    bool usable() const { return node_.over; }
    /// Whether the kernels serve the call. The same on all ranks, wherever their buffers are.
    bool serves(const Call& c, const Communicator& state, std::int64_t bytes) const;
    /// Serves it. Returns an MPI error code.
    int run(const ServedCall& f);

private:
    struct Vector;
    bool run_pieces(const Vector& v);
    bool begin(const Vector& v, std::uint32_t first, std::uint32_t turn);
    std::uint32_t over() const;

    DeviceMemory& device_;
    hopbine_node node_{};
    std::uint32_t turns_ = 0;  ///< begun so far, the same on all ranks
};

/// Makes the group of a communicator whose ranks are all peers, in the first of this process's that
/// can have one. Collective over `state`. `all`: this rank has opened the memory of all others, and
/// they its.
void agree_on_node_group(Communicator& state, bool all);

}  // namespace hopbine::mpi
