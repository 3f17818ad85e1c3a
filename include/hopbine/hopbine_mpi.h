/** \file
 *  Extensions of MPI for programs that use hopbine. Link with -lhopbine_preload before the MPI
 * library, or run under `hopbine run`. */
#ifndef HOPBINE_MPI_H
#define HOPBINE_MPI_H

#include <mpi.h>

#include "hopbine/hopbine.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Creates a persistent MPI_Alltoallv, as MPI_Alltoallv_init of MPI 4. Also serves MPI libraries
 * without that function.
 *
 *  Collective over `comm`. Ranks exchange block sizes and prepare copies once, in this call. Counts
 * and displacements may be freed when it returns. The request is for MPI_Start, MPI_Startall, the
 * waits and tests, and MPI_Request_free; it must be freed before the communicator.
 *
 *  The exchange makes progress only inside calls on the request. A rank that has started it must
 * wait for it or test it before it waits in another call for something that a rank does after its
 * own wait.
 *
 *  Returns an MPI error code: MPI_ERR_TRUNCATE on all ranks if two disagree on the size of a block;
 * -1 if hopbine has no runtime for the MPI library. */
HOPBINE_API int hopbine_alltoallv_init(const void *sendbuf, const int sendcounts[],
                                       const int sdispls[], MPI_Datatype sendtype, void *recvbuf,
                                       const int recvcounts[], const int rdispls[],
                                       MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                       MPI_Request *request);

#ifdef __cplusplus
}
#endif
#endif
