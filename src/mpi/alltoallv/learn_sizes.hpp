/// Sizes that never change: told once, before the first of many exchanges.
#pragma once
#include "mpi/alltoallv/sized_message.hpp"
#include "mpi/execute/endpoint.hpp"

namespace hopbine::mpi {

/// Fills `sizes` with those of all messages of a plan on this rank, for good: the messages of later
/// exchanges have no headers.
///
/// - The rank's block for itself is left to the caller.
/// - Collective. Returns an MPI error code: MPI_ERR_TRUNCATE where a block comes with another size
///   than this rank's counts say.
int learn_sizes(const Plan& plan, const UserBlocks& send, const UserBlocks& recv,
                const Endpoint& at, Recalled& sizes);

}  // namespace hopbine::mpi
