/// Prepares calls that are repeated with the same counts.
#pragma once
#include "mpi/bind/bind_buffers.hpp"
#include "mpi/execute/user_blocks.hpp"

namespace hopbine::mpi {

/// Tells the sizes of the call's blocks to the ranks on their ways: its messages will have no
/// headers.
///
/// - `own_fits`: the rank's block for itself, which is left to the caller, has the same size at
///   both ends.
/// - Collective. Returns an MPI error code: MPI_ERR_TRUNCATE, on all ranks, when the counts of two
///   disagree.
int agree_on_sizes(const ServedCall& f, const UserBlocks& send, const UserBlocks& recv,
                   bool own_fits);

}  // namespace hopbine::mpi
