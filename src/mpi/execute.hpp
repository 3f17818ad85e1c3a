/// Runs a bound plan over MPI point-to-point.
#pragma once
#include <mpi.h>

#include <vector>

#include "mpi/buffers.hpp"
#include "mpi/endpoint.hpp"
#include "mpi/lanes.hpp"
#include "mpi/nonuniform.hpp"

namespace hopbine::mpi {

/// A receive on its way.
struct Received {
    const Message* message;
    char* staged;  ///< null: received in place
    std::int64_t elements;
    std::size_t first_request, last_request;
};

/// Scratch of one communicator, kept between calls.
struct Workspace {
    Scratch staging, work, temp, packed_send, packed_recv;
    std::vector<MPI_Request> requests;
    std::vector<Received> received;
    std::vector<std::int64_t> prefix;
    LaneWorkspace lanes;
    NonuniformWorkspace nonuniform;
    /// Gives back what one unusually large call made it grow to. Only when the call is over:
    /// results may still lie in it before.
    void trim();
};

/// All steps of the plan. Returns the first MPI error code: after an error the schedule still runs
/// to its end.
int execute(const Plan& plan, const Binding& b, const Endpoint& at, Workspace& w);

}  // namespace hopbine::mpi
