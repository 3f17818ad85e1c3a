/** \file
 *  Extensions of MPI for programs that use hopbine. Link with -lhopbine_preload before the MPI
 * library, or run under `hopbine run`. */
#ifndef HOPBINE_MPI_H
#define HOPBINE_MPI_H

#include <mpi.h>
#include <stddef.h>

#include "hopbine/hopbine.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Creates a persistent MPI_Alltoallv, as MPI_Alltoallv_init of MPI 4. Also serves MPI libraries
 * without that function.
 *
 *  Collective over `comm`. Ranks exchange block sizes and prepare copies once, in this call. Counts
 * and displacements may be freed when it returns. The request is for MPI_Start, MPI_Startall, the
 * waits and tests, and MPI_Request_free. A started exchange goes on whenever the MPI library makes
 * progress.
 *
 *  Where the library's progress cannot call hopbine (MPICH 4, the MPI-5 ABI), its own
 * MPI_Alltoallv_init serves, and a message says so.
 *
 *  Returns an MPI error code: MPI_ERR_TRUNCATE on all ranks if two disagree on the size of a block;
 * -1 if hopbine has no runtime for the MPI library. */
HOPBINE_API int hopbine_alltoallv_init(const void *sendbuf, const int sendcounts[],
                                       const int sdispls[], MPI_Datatype sendtype, void *recvbuf,
                                       const int recvcounts[], const int rdispls[],
                                       MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                       MPI_Request *request);

/** The sum of all ranks' numbers, n on this one, correctly rounded: to nearest, ties to even.
 *
 *  Collective over `comm`, which is no intercommunicator. Nothing is rounded before the end, so the
 * result has the same bits however the numbers are spread over ranks and in whatever order. NaN if
 * one is, or if there are infinities of both signs; -0 if all numbers are -0, and +0 if there are
 * none. One allreduce of about 300 bytes.
 *
 *  An error is told to the communicator's error handler; if that returns, or if hopbine has no
 * runtime for the MPI library, the result is NaN. */
HOPBINE_API double hopbine_sum(const double *x, size_t n, MPI_Comm comm);

/** The sum of x[i] * y[i] over all ranks, correctly rounded: neither a product nor a sum is rounded
 * before the end. Otherwise as hopbine_sum(); one allreduce of about 600 bytes. */
HOPBINE_API double hopbine_dot(const double *x, const double *y, size_t n, MPI_Comm comm);

#ifdef __cplusplus
}
#endif
#endif
