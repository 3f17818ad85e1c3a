/// Runs a bound plan over MPI point-to-point.
#pragma once
#include <mpi.h>

#include <vector>

#include "mpi/execute/buffers.hpp"
#include "mpi/execute/channels.hpp"
#include "mpi/execute/endpoint.hpp"

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
    ChannelWorkspace channels;
    /// Frees what holds more than `keep` bytes.
    void trim(std::int64_t keep);
};

/// All steps of the plan. Returns the first MPI error code: after an error the schedule still runs
/// to its end.
int execute(const Plan& plan, const Binding& b, const Endpoint& at, Workspace& w);

}  // namespace hopbine::mpi
