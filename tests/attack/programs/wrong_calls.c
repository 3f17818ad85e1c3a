/* Wrong calls, one per row, and their effect on every rank.
 *
 *   wrong_calls                     prints the names of all rows
 *   wrong_calls ROW HANDLER         HANDLER: return, custom or longjmp
 *
 * Prints for each rank "rank R: class C, handler H" and "rank R: after A": the error class that the
 * call returned, how often the handler ran, and whether a following allreduce is right (called only
 * where the error is the same on all ranks). Not every MPI library checks arguments: compare with a
 * run without hopbine. */
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 4, MOST = 64 };
static int rank, p, handled, told, jumps;
static jmp_buf back;
static MPI_Comm comm;
static int send[N * MOST], recv[N * MOST], counts[MOST], displs[MOST];
static MPI_Datatype uncommitted, freed, short_type;
static MPI_Op freed_op;

static void add(void *in, void *inout, int *n, MPI_Datatype *type) {
    (void)type;
    for (int i = 0; i < *n; ++i) ((int *)inout)[i] += ((int *)in)[i];
}

static void on_error(MPI_Comm *c, int *error, ...) {
    (void)c;
    MPI_Error_class(*error, &told); /* MPICH returns success after a handler */
    ++handled;
    if (jumps) longjmp(back, *error);
}

#define ROOT (rank == 0)
#define HERE (rank == p - 1) /* the only rank with wrong arguments */
#define IP MPI_IN_PLACE
#define I MPI_INT

/* name; whether the error is the same on all ranks; call */
#define ROWS(X)                                                                                    \
    X(allreduce_negative_count, 1, MPI_Allreduce(send, recv, -1, I, MPI_SUM, comm))                \
    X(bcast_negative_count, 1, MPI_Bcast(recv, -1, I, 0, comm))                                    \
    X(reduce_negative_count, 1, MPI_Reduce(send, recv, -1, I, MPI_SUM, 0, comm))                   \
    X(allgather_negative_count, 1, MPI_Allgather(send, -1, I, recv, -1, I, comm))                  \
    X(alltoall_negative_count, 1, MPI_Alltoall(send, -1, I, recv, -1, I, comm))                    \
    X(reduce_scatter_block_negative_count, 1,                                                      \
      MPI_Reduce_scatter_block(send, recv, -1, I, MPI_SUM, comm))                                  \
    X(reduce_scatter_negative_count, 1,                                                            \
      (counts[0] = -1, MPI_Reduce_scatter(send, recv, counts, I, MPI_SUM, comm)))                  \
    X(allgatherv_negative_count, 1,                                                                \
      (counts[0] = -1, MPI_Allgatherv(send, N, I, recv, counts, displs, I, comm)))                 \
    X(alltoallv_negative_count, 1,                                                                 \
      (counts[0] = -1, MPI_Alltoallv(send, counts, displs, I, recv, counts, displs, I, comm)))     \
    X(allreduce_negative_count_on_one, 0,                                                          \
      MPI_Allreduce(send, recv, HERE ? -1 : N, I, MPI_SUM, comm))                                  \
    X(bcast_negative_count_on_one, 0, MPI_Bcast(recv, HERE ? -1 : N, I, 0, comm))                  \
    X(bcast_root_too_large, 1, MPI_Bcast(recv, N, I, p, comm))                                     \
    X(bcast_root_negative, 1, MPI_Bcast(recv, N, I, -7, comm))                                     \
    X(reduce_root_too_large, 1, MPI_Reduce(send, recv, N, I, MPI_SUM, p, comm))                    \
    X(gather_root_too_large, 1, MPI_Gather(send, N, I, recv, N, I, p, comm))                       \
    X(scatter_root_too_large, 1, MPI_Scatter(send, N, I, recv, N, I, p, comm))                     \
    X(gatherv_root_negative, 1, MPI_Gatherv(send, N, I, recv, counts, displs, I, -7, comm))        \
    X(scatterv_root_negative, 1, MPI_Scatterv(send, counts, displs, I, recv, N, I, -7, comm))      \
    X(bcast_null_type, 1, MPI_Bcast(recv, N, MPI_DATATYPE_NULL, 0, comm))                          \
    X(allreduce_null_type, 1, MPI_Allreduce(send, recv, N, MPI_DATATYPE_NULL, MPI_SUM, comm))      \
    X(alltoall_null_type, 1, MPI_Alltoall(send, N, MPI_DATATYPE_NULL, recv, N, I, comm))           \
    X(allgather_null_type, 1, MPI_Allgather(send, N, I, recv, N, MPI_DATATYPE_NULL, comm))         \
    X(bcast_uncommitted_type, 1, MPI_Bcast(recv, 1, uncommitted, 0, comm))                         \
    X(bcast_uncommitted_type_on_one, 0,                                                            \
      MPI_Bcast(recv, 1, HERE ? uncommitted : short_type, 0, comm))                                \
    X(gather_uncommitted_type, 1, MPI_Gather(send, 1, uncommitted, recv, 1, uncommitted, 0, comm)) \
    X(allgather_uncommitted_type, 1,                                                               \
      MPI_Allgather(send, 1, uncommitted, recv, 1, uncommitted, comm))                             \
    X(alltoall_uncommitted_type, 1,                                                                \
      MPI_Alltoall(send, 1, uncommitted, recv, 1, uncommitted, comm))                              \
    X(bcast_freed_type, 1, MPI_Bcast(recv, 1, freed, 0, comm))                                     \
    X(allgather_freed_type, 1, MPI_Allgather(send, 1, freed, recv, 1, freed, comm))                \
    X(allreduce_null_op, 1, MPI_Allreduce(send, recv, N, I, MPI_OP_NULL, comm))                    \
    X(reduce_null_op, 1, MPI_Reduce(send, recv, N, I, MPI_OP_NULL, 0, comm))                       \
    X(reduce_scatter_null_op, 1, MPI_Reduce_scatter(send, recv, counts, I, MPI_OP_NULL, comm))     \
    X(allreduce_freed_op, 1, MPI_Allreduce(send, recv, N, I, freed_op, comm))                      \
    X(allreduce_op_of_other_types, 1, MPI_Allreduce(send, recv, N, MPI_DOUBLE, MPI_BAND, comm))    \
    X(reduce_op_of_other_types, 1, MPI_Reduce(send, recv, N, MPI_DOUBLE, MPI_BXOR, 0, comm))       \
    X(reduce_scatter_block_op_of_other_types, 1,                                                   \
      MPI_Reduce_scatter_block(send, recv, N, MPI_FLOAT, MPI_LAND, comm))                          \
    X(allreduce_minloc_of_ints, 1, MPI_Allreduce(send, recv, N, I, MPI_MINLOC, comm))              \
    X(allreduce_predefined_op_of_derived_type, 1,                                                  \
      MPI_Allreduce(send, recv, 1, short_type, MPI_SUM, comm))                                     \
    X(allreduce_in_place_as_recv, 1, MPI_Allreduce(send, IP, N, I, MPI_SUM, comm))                 \
    X(reduce_in_place_as_recv, 1, MPI_Reduce(send, IP, N, I, MPI_SUM, 0, comm))                    \
    X(reduce_in_place_off_root, 0, MPI_Reduce(ROOT ? send : IP, recv, N, I, MPI_SUM, 0, comm))     \
    X(reduce_scatter_in_place_as_recv, 1, MPI_Reduce_scatter(send, IP, counts, I, MPI_SUM, comm))  \
    X(reduce_scatter_block_in_place_as_recv, 1,                                                    \
      MPI_Reduce_scatter_block(send, IP, N, I, MPI_SUM, comm))                                     \
    X(allgather_in_place_as_recv, 1, MPI_Allgather(send, N, I, IP, N, I, comm))                    \
    X(allgatherv_in_place_as_recv, 1, MPI_Allgatherv(send, N, I, IP, counts, displs, I, comm))     \
    X(alltoall_in_place_as_recv, 1, MPI_Alltoall(send, N, I, IP, N, I, comm))                      \
    X(alltoallv_in_place_as_recv, 1,                                                               \
      MPI_Alltoallv(send, counts, displs, I, IP, counts, displs, I, comm))                         \
    X(gather_in_place_as_recv, 0, MPI_Gather(send, N, I, ROOT ? IP : (void *)recv, N, I, 0, comm)) \
    X(gather_in_place_off_root, 0, MPI_Gather(ROOT ? send : IP, N, I, recv, N, I, 0, comm))        \
    X(gatherv_in_place_as_recv, 0,                                                                 \
      MPI_Gatherv(send, N, I, ROOT ? IP : (void *)recv, counts, displs, I, 0, comm))               \
    X(scatter_in_place_as_send, 0,                                                                 \
      MPI_Scatter(ROOT ? IP : (void *)send, N, I, recv, N, I, 0, comm))                            \
    X(scatter_in_place_off_root, 0,                                                                \
      MPI_Scatter(send, N, I, ROOT ? (void *)recv : IP, N, I, 0, comm))                            \
    X(scatterv_in_place_as_send, 0,                                                                \
      MPI_Scatterv(ROOT ? IP : (void *)send, counts, displs, I, recv, N, I, 0, comm))              \
    X(bcast_in_place, 1, MPI_Bcast(IP, N, I, 0, comm))                                             \
    X(allreduce_null_buffers, 1, MPI_Allreduce(NULL, NULL, N, I, MPI_SUM, comm))                   \
    X(allreduce_null_recv, 1, MPI_Allreduce(send, NULL, N, I, MPI_SUM, comm))                      \
    X(bcast_null_buffer, 1, MPI_Bcast(NULL, N, I, 0, comm))                                        \
    X(reduce_null_recv_at_root, 0, MPI_Reduce(send, NULL, N, I, MPI_SUM, 0, comm))                 \
    X(allgather_null_recv, 1, MPI_Allgather(send, N, I, NULL, N, I, comm))                         \
    X(alltoall_null_send, 1, MPI_Alltoall(NULL, N, I, recv, N, I, comm))                           \
    X(gather_null_recv_at_root, 0, MPI_Gather(send, N, I, NULL, N, I, 0, comm))                    \
    X(reduce_scatter_null_counts, 1, MPI_Reduce_scatter(send, recv, NULL, I, MPI_SUM, comm))       \
    X(allgatherv_null_counts, 1, MPI_Allgatherv(send, N, I, recv, NULL, displs, I, comm))          \
    X(allgatherv_null_displs, 1, MPI_Allgatherv(send, N, I, recv, counts, NULL, I, comm))          \
    X(alltoallv_null_counts, 1,                                                                    \
      MPI_Alltoallv(send, NULL, displs, I, recv, counts, displs, I, comm))                         \
    X(gatherv_null_counts, 0, MPI_Gatherv(send, N, I, recv, NULL, displs, I, 0, comm))             \
    X(scatterv_null_counts, 0, MPI_Scatterv(send, NULL, displs, I, recv, N, I, 0, comm))           \
    X(allreduce_aliased, 1, MPI_Allreduce(recv, recv, N, I, MPI_SUM, comm))                        \
    X(reduce_aliased, 1, MPI_Reduce(recv, recv, N, I, MPI_SUM, 0, comm))                           \
    X(reduce_scatter_block_aliased, 1, MPI_Reduce_scatter_block(recv, recv, N, I, MPI_SUM, comm))  \
    X(allgather_aliased, 1, MPI_Allgather(recv, N, I, recv, N, I, comm))                           \
    X(alltoall_aliased, 1, MPI_Alltoall(recv, N, I, recv, N, I, comm))                             \
    X(gather_aliased, 0, MPI_Gather(recv, N, I, recv, N, I, 0, comm))                              \
    X(scatter_aliased, 0, MPI_Scatter(recv, N, I, recv, N, I, 0, comm))                            \
    X(gather_other_size_of_root, 0, MPI_Gather(send, ROOT ? N - 1 : N, I, recv, N, I, 0, comm))    \
    X(gather_larger_size_of_root, 0, MPI_Gather(send, ROOT ? N + 1 : N, I, recv, N, I, 0, comm))   \
    X(scatter_other_size_of_root, 0, MPI_Scatter(send, N, I, recv, ROOT ? N - 1 : N, I, 0, comm))  \
    X(scatter_larger_size_of_root, 0, MPI_Scatter(send, N, I, recv, ROOT ? N + 1 : N, I, 0, comm)) \
    X(bcast_short_on_one, 0, MPI_Bcast(recv, HERE ? N - 1 : N, I, 0, comm))                        \
    X(bcast_null_type_on_one, 0, MPI_Bcast(recv, N, HERE ? MPI_DATATYPE_NULL : I, 0, comm))        \
    X(allreduce_null_op_on_one, 0,                                                                 \
      MPI_Allreduce(send, recv, N, I, HERE ? MPI_OP_NULL : MPI_SUM, comm))                         \
    X(bcast_null_comm, 1, MPI_Bcast(recv, N, I, 0, MPI_COMM_NULL))                                 \
    X(allreduce_null_comm, 1, MPI_Allreduce(send, recv, N, I, MPI_SUM, MPI_COMM_NULL))

#define NAME(name, everywhere, ...) #name,
static const char *const names[] = {ROWS(NAME)};
#define EVERYWHERE(name, everywhere, ...) everywhere,
static const int everywhere[] = {ROWS(EVERYWHERE)};

static int call(int row) {
    int at = 0;
#define CASE(name, everywhere, ...) \
    if (row == at++) return __VA_ARGS__;
    ROWS(CASE)
    return MPI_SUCCESS;
}

static void prepare(const char *handler) {
    MPI_Errhandler custom;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(on_error, &custom);
    jumps = !strcmp(handler, "longjmp");
    const MPI_Errhandler chosen = strcmp(handler, "return") ? custom : MPI_ERRORS_RETURN;
    MPI_Comm_set_errhandler(comm, chosen);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, chosen); /* for errors without a communicator */
    MPI_Type_contiguous(N, MPI_INT, &uncommitted);
    MPI_Type_contiguous(N, MPI_INT, &short_type);
    MPI_Type_commit(&short_type);
    MPI_Type_dup(short_type, &freed);
    MPI_Datatype handle = freed;
    MPI_Type_free(&handle);
    MPI_Op_create(add, 1, &freed_op);
    MPI_Op op = freed_op;
    MPI_Op_free(&op);
    for (int i = 0; i < N * MOST; ++i) send[i] = recv[i] = i;
    for (int r = 0; r < p; ++r) counts[r] = N, displs[r] = r * N;
}

int main(int argc, char **argv) {
    const int rows = sizeof names / sizeof *names;
    if (argc < 3) {
        for (int i = 0; i < rows; ++i) puts(names[i]);
        return 0;
    }
    int row = 0, class = 0, sum = 0, one = 1;
    while (row < rows && strcmp(names[row], argv[1])) ++row;
    if (row == rows) return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    prepare(argv[2]);
    volatile int error = 0;
    const int jumped = setjmp(back);
    if (!jumped) error = call(row);
    MPI_Error_class(jumped ? jumped : error, &class);
    if (!class) class = told;
    printf("rank %d: class %d, handler %d\n", rank, class, handled);
    fflush(stdout);
    if (everywhere[row] && (class || handled)) {
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
        printf("rank %d: after %s\n", rank, sum == p ? "right" : "wrong");
        fflush(stdout);
    }
    sleep(2); /* launchers end the other ranks when one has exited */
    _Exit(0); /* a rank left alone must not wait for the others in MPI_Finalize */
}
