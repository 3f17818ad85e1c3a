/// Binds calls whose block sizes only both ends know: alltoallv, gatherv, scatterv, and those among
/// neighbours.
#pragma once
#include "mpi/bind/bind_buffers.hpp"

namespace hopbine::mpi {

// Validate this rank's arguments. False: the MPI library reports the error. They look up the
// datatypes that are significant here and set `bytes` to what this rank sends.
bool valid_alltoallv(const Call& call, int p, Type* send, Type* recv, std::int64_t* bytes);
bool valid_gatherv(const Call& call, int rank, int p, Type* send, Type* recv, std::int64_t* bytes);
bool valid_neighbors(const Call& call, Type* send, Type* recv, std::int64_t* bytes);

// Run the plan for the call. Return an MPI error code.
int alltoallv(const ServedCall& f);
int gatherv(const ServedCall& f);
int neighbors(const ServedCall& f);

/// Prepares a call that is repeated with the same counts: its messages will have no headers.
/// Collective. Returns an MPI error code: MPI_ERR_TRUNCATE, on all ranks, when the counts of two
/// disagree.
int learn_sizes(const ServedCall& f);

}  // namespace hopbine::mpi
