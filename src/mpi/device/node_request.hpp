/// A persistent call that the devices of a node make, by a kernel on each that is kept as a graph.
#pragma once
#include <memory>

#include "mpi/device/node_call.hpp"
#include "mpi/device/request_arenas.hpp"
#include "runtime/fiber.hpp"

namespace hopbine::mpi {

/// From MPI_..._init to MPI_Request_free. It is begun in any order among other calls: it waits for
/// nothing that these have, and nothing of theirs waits for it.
class NodeRequest {
public:
    /// Whether kernels are to serve it, if the ranks can. The same on all ranks. `on_device`: some
    /// rank has a buffer on a device. `bytes`: of the vector or block.
    static bool is_wanted(const Call& c, Communicator& state, bool on_device, std::int64_t bytes);
    /// Null, on all ranks: it is served otherwise. `f` and what it refers to outlive the request.
    /// `user`: of the program's communicator. Collective.
    static std::unique_ptr<NodeRequest> make(const ServedCall& f, Communicator& user);
    NodeRequest(const NodeRequest&) = delete;
    NodeRequest& operator=(const NodeRequest&) = delete;
    ~NodeRequest();

    /// Makes the call. Suspends the fiber until it is over. Returns an MPI error code.
    int run(Fiber& fiber);

private:
    NodeRequest(std::unique_ptr<NodeCall> call, RequestArena& arena);
    bool run_kernel(Fiber& fiber);

    const std::unique_ptr<NodeCall> call_;
    RequestArena& arena_;
    device::Graph graph_;  ///< null: the driver has none
    bool failed_ = false;  ///< the others may be in another turn of the arena
};

}  // namespace hopbine::mpi
