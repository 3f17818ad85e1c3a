/* Makes blocking calls in another form: -DFORM_NONBLOCKING starts and waits, -DFORM_PERSISTENT also
 * makes the request before, and frees it. */
#ifndef HOPBINE_TEST_FORMS_H
#define HOPBINE_TEST_FORMS_H
#include <mpi.h>

#if defined FORM_NONBLOCKING || defined FORM_PERSISTENT
static MPI_Request form_request;
#ifdef FORM_NONBLOCKING
#define FORM(nonblocking, name, ...) finish(MPI_##nonblocking(__VA_ARGS__, &form_request))
static int finish(int error) { return error ? error : MPI_Wait(&form_request, MPI_STATUS_IGNORE); }
#else
#define FORM(nonblocking, name, ...) \
    finish(MPI_##name##_init(__VA_ARGS__, MPI_INFO_NULL, &form_request))
static int finish(int error) {
    if (error) return error;
    MPI_Start(&form_request);
    error = MPI_Wait(&form_request, MPI_STATUS_IGNORE);
    MPI_Request_free(&form_request);
    return error;
}
#endif
#define MPI_Bcast(...) FORM(Ibcast, Bcast, __VA_ARGS__)
#define MPI_Reduce(...) FORM(Ireduce, Reduce, __VA_ARGS__)
#define MPI_Allreduce(...) FORM(Iallreduce, Allreduce, __VA_ARGS__)
#define MPI_Reduce_scatter(...) FORM(Ireduce_scatter, Reduce_scatter, __VA_ARGS__)
#define MPI_Reduce_scatter_block(...) FORM(Ireduce_scatter_block, Reduce_scatter_block, __VA_ARGS__)
#define MPI_Gather(...) FORM(Igather, Gather, __VA_ARGS__)
#define MPI_Gatherv(...) FORM(Igatherv, Gatherv, __VA_ARGS__)
#define MPI_Scatter(...) FORM(Iscatter, Scatter, __VA_ARGS__)
#define MPI_Scatterv(...) FORM(Iscatterv, Scatterv, __VA_ARGS__)
#define MPI_Allgather(...) FORM(Iallgather, Allgather, __VA_ARGS__)
#define MPI_Allgatherv(...) FORM(Iallgatherv, Allgatherv, __VA_ARGS__)
#define MPI_Alltoall(...) FORM(Ialltoall, Alltoall, __VA_ARGS__)
#define MPI_Scan(...) FORM(Iscan, Scan, __VA_ARGS__)
#define MPI_Exscan(...) FORM(Iexscan, Exscan, __VA_ARGS__)
#define MPI_Barrier(...) FORM(Ibarrier, Barrier, __VA_ARGS__)
#define MPI_Alltoallv(...) FORM(Ialltoallv, Alltoallv, __VA_ARGS__)
#endif

#endif
