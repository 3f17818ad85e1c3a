/// Runs plans of gatherv, scatterv and alltoallv: only origin and destination know a block's size.
///
/// - A bare message has one block, from its origin to its destination. Both ends know its size. It
///   goes from user buffer to user buffer; an empty one is not sent.
/// - Every other message begins with a header that has the sizes of its blocks, unless blocks are
///   padded to the largest.
/// - The receiver cannot know the length of a message with a header. Both ends derive the room of
///   the first message from the last call's. Blocks beyond it follow in a second message, the rest.
#pragma once
#include <mpi.h>

#include <map>
#include <vector>

#include "mpi/execute/execute.hpp"
#include "mpi/execute/messages.hpp"
#include "mpi/execute/user_blocks.hpp"
#include "runtime/plan.hpp"
#include "runtime/sized_messages.hpp"
#include "runtime/transit_buffer.hpp"

namespace hopbine::mpi {

/// Scratch of one communicator, kept between calls.
struct NonuniformWorkspace {
    /// A receive and what it has received.
    struct Incoming {
        const SizedMessage* message;
        std::size_t request;         ///< of the first message
        char* staged = nullptr;      ///< null: bare, received in the user's buffer
        const char* data = nullptr;  ///< behind the header
        std::int64_t data_bytes = 0;
        std::int64_t rest = 0, rest_bytes = 0;  ///< offset in `rests`, and bytes there
    };
    /// Messages that are under way together, and what they are staged in.
    struct Batch {
        std::vector<Incoming> incoming;
        std::vector<MPI_Request> requests;  ///< receives first
        std::size_t receives = 0;
        std::vector<MPI_Status> statuses;
    };
    Scratch firsts[3], rests[3], out, early_out,
        in_place;  ///< firsts, rests: of steps in turn, so that received blocks may stay until the
                   ///< next step completes; the last of the messages before the first step
    TransitBuffer transit;
    Batch step, early;
    std::map<std::uint64_t, Recalled> recalled;  ///< of the plans used here, by their numbers
    std::vector<std::int64_t> numbers;           ///< in place: lengths and displacements of copies
    std::int64_t max_bytes = 0;  ///< bytes that this rank sends; after the call: the most that any
                                 ///< rank sends, if headers reach all ranks
    std::int64_t peak = 0;  ///< the most bytes of extra memory that the last call used at a time
    /// Frees the buffers that are larger than Scratch::kKept.
    void trim();
};

/// Runs all steps of the plan. Returns an MPI error code.
///
/// - The rank's block for itself is left to the caller.
/// - MPI_ERR_TRUNCATE: two ranks disagree on the size of a block. All other blocks have arrived,
///   and the communicator stays usable.
int run_nonuniform(const Plan& plan, const UserBlocks& send, const UserBlocks& recv,
                   const Endpoint& at, NonuniformWorkspace& w);

/// Fills `sizes` with those of all messages of a plan on this rank, for good: the messages of later
/// exchanges have no headers.
///
/// - `own_fits`: the rank's block for itself, which is left to the caller, has the same size at
///   both ends.
/// - Collective over `comm`. Returns an MPI error code, the same on all ranks: MPI_ERR_TRUNCATE
///   where the counts of two disagree.
int learn_sizes(const Plan& plan, const UserBlocks& send, const UserBlocks& recv, bool own_fits,
                const Endpoint& at, MPI_Comm comm, Recalled& sizes);

}  // namespace hopbine::mpi
