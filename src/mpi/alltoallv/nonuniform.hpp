/// Runs a plan of an alltoallv, the sizes of whose blocks only their origins and destinations know.
///
/// A message of one block from its origin to its destination is bare: both ends know its size, it
/// goes from buffer to buffer, and is not sent when it has no bytes. All others begin with a header
/// with the sizes of the blocks. The receiver cannot know their length: blocks beyond the room that
/// both ends expect (from the message of the last call) follow in a second message, the rest.
#pragma once
#include <mpi.h>

#include <vector>

#include "mpi/alltoallv/transit_buffer.hpp"
#include "mpi/execute/buffers.hpp"
#include "mpi/execute/endpoint.hpp"
#include "mpi/execute/plan.hpp"
#include "mpi/execute/user_blocks.hpp"

namespace hopbine::mpi {

/// Scratch of one communicator, kept between calls.
struct NonuniformWorkspace {
    /// A message on its way in.
    struct Incoming {
        const SizedMessage* message;
        std::size_t request;         ///< of its first part
        char* staged = nullptr;      ///< null: bare, straight into the user's buffer
        const char* data = nullptr;  ///< behind the header
        std::int64_t data_bytes = 0;
        std::int64_t rest = 0, rest_bytes = 0;  ///< where in `rests`
    };
    Scratch firsts[2], rests[2], out,
        in_place;  ///< what arrived in a step may lie there until the next is over
    TransitBuffer transit;
    std::vector<Incoming> incoming;
    std::vector<MPI_Request> requests;
    std::vector<MPI_Status> statuses;
    std::vector<std::int64_t> numbers;  ///< in place: lengths and places of the copied blocks
    std::int64_t max_bytes = 0;  ///< that this rank sends; after the call that any rank sends,
                                 ///< where headers reach all ranks
    std::int64_t peak = 0;       ///< bytes of extra memory that the last call needed at a time
    /// Gives back what one unusually large call made it grow to.
    void trim(std::int64_t keep);
};

/// All steps of the plan; ranks agree on the user's communicator where they must; the block of this
/// rank for itself is left alone. Returns an MPI error code: MPI_ERR_TRUNCATE when two ranks do not
/// agree on the size of a block; then all others have arrived, and the communicator can be used on.
int run_nonuniform(const Plan& plan, const UserBlocks& send, const UserBlocks& recv,
                   const Endpoint& at, MPI_Comm user, NonuniformWorkspace& w);

}  // namespace hopbine::mpi
