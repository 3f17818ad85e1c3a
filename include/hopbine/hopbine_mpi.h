/** \file
 *  What hopbine adds to MPI for programs that know it. Link with -lhopbine_preload before the MPI
 * library, or run under `hopbine run`. */
#ifndef HOPBINE_MPI_H
#define HOPBINE_MPI_H

#include <mpi.h>

#include "hopbine/hopbine.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An MPI_Alltoallv that will be repeated with the same arguments, as MPI_Alltoallv_init of MPI 4
 * has it; also over MPI libraries without that.
 *
 *  Collective over `comm`. Sizes are told and copies worked out here, once. The request is for
 * MPI_Start, MPI_Startall, the waits and tests and MPI_Request_free; counts and displacements may
 * be freed when this returns. The exchange goes on inside of those calls only: a rank that has
 * started it must come to wait for it, or test it, without first waiting in another call for what a
 * rank does after its own wait. The request must be freed before the communicator is.
 *
 *  Returns an MPI error code: MPI_ERR_TRUNCATE on all ranks when two do not agree on the size of a
 * block; -1 when hopbine has no runtime for the MPI library. */
HOPBINE_API int hopbine_alltoallv_init(const void *sendbuf, const int sendcounts[],
                                       const int sdispls[], MPI_Datatype sendtype, void *recvbuf,
                                       const int recvcounts[], const int rdispls[],
                                       MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                       MPI_Request *request);

#ifdef __cplusplus
}
#endif
#endif
