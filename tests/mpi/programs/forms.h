/* Makes blocking calls in another form: -DFORM_NONBLOCKING starts and waits. */
#ifndef HOPBINE_TEST_FORMS_H
#define HOPBINE_TEST_FORMS_H
#include <mpi.h>

#ifdef FORM_NONBLOCKING
static MPI_Request form_request;
static int finish(int error) { return error ? error : MPI_Wait(&form_request, MPI_STATUS_IGNORE); }
#define MPI_Bcast(...) finish(MPI_Ibcast(__VA_ARGS__, &form_request))
#define MPI_Reduce(...) finish(MPI_Ireduce(__VA_ARGS__, &form_request))
#define MPI_Allreduce(...) finish(MPI_Iallreduce(__VA_ARGS__, &form_request))
#define MPI_Reduce_scatter(...) finish(MPI_Ireduce_scatter(__VA_ARGS__, &form_request))
#define MPI_Reduce_scatter_block(...) finish(MPI_Ireduce_scatter_block(__VA_ARGS__, &form_request))
#define MPI_Gather(...) finish(MPI_Igather(__VA_ARGS__, &form_request))
#define MPI_Gatherv(...) finish(MPI_Igatherv(__VA_ARGS__, &form_request))
#define MPI_Scatter(...) finish(MPI_Iscatter(__VA_ARGS__, &form_request))
#define MPI_Scatterv(...) finish(MPI_Iscatterv(__VA_ARGS__, &form_request))
#define MPI_Allgather(...) finish(MPI_Iallgather(__VA_ARGS__, &form_request))
#define MPI_Allgatherv(...) finish(MPI_Iallgatherv(__VA_ARGS__, &form_request))
#define MPI_Alltoall(...) finish(MPI_Ialltoall(__VA_ARGS__, &form_request))
#define MPI_Scan(...) finish(MPI_Iscan(__VA_ARGS__, &form_request))
#define MPI_Exscan(...) finish(MPI_Iexscan(__VA_ARGS__, &form_request))
#define MPI_Barrier(...) finish(MPI_Ibarrier(__VA_ARGS__, &form_request))
#define MPI_Alltoallv(...) finish(MPI_Ialltoallv(__VA_ARGS__, &form_request))
#endif

#endif
