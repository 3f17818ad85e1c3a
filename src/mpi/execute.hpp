/// Runs a bound plan over MPI point-to-point.
#pragma once
#include <mpi.h>

#include <vector>

#include "mpi/buffers.hpp"
#include "mpi/lanes.hpp"
#include "mpi/nonuniform.hpp"

namespace hopbine::mpi {

/// A receive on its way.
struct Received {
    const Message* message;
    char* staged;                ///< null: received in place
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
    /// Gives back what one unusually large call made it grow to.
    void trim();
};

/// All steps of the plan on the private communicator. Returns an MPI error code.
int execute(const Plan& plan, const Binding& b, MPI_Comm comm, Workspace& w);

}  // namespace hopbine::mpi
