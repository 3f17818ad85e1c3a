/// Sizes that never change: told once, before the first of many exchanges.
#pragma once
#include "mpi/alltoallv/sized_message.hpp"
#include "mpi/execute/endpoint.hpp"

namespace hopbine::mpi {

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
