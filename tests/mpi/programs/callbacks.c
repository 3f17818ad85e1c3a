/* Collectives in callbacks of the program.
 *
 *   callbacks free       those that delete attributes call collectives on the communicator
 *   callbacks finalize   one that MPI_Finalize runs frees a persistent request
 *   callbacks stack      an operation has 2 MiB of local data */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { CALLS = 3, COMMUNICATORS = 5, BYTES = 2 << 20 };

static int rank, p, passed, failed;
static MPI_Request request;
static int sent, received;

static void expect(int holds, const char *what) {
    holds ? ++passed : ++failed;
    if (!holds) fprintf(stderr, "rank %d: %s\n", rank, what);
}

static void call_all(MPI_Comm comm) {
    int one = 1, sum = 0;
    MPI_Request started;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    expect(sum == p, "allreduce");
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm, &started);
    MPI_Wait(&started, MPI_STATUS_IGNORE);
    expect(sum == p, "iallreduce");
}

static int deleted(MPI_Comm comm, int keyval, void *attribute, void *extra) {
    (void)keyval, (void)attribute, (void)extra;
    for (int i = 0; i < CALLS; ++i) call_all(comm);
    return MPI_SUCCESS;
}

/* Attributes set before the communicator's first call, and after it. */
static void free_communicators(void) {
    int keyval;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleted, &keyval, NULL);
    for (int i = 0; i < COMMUNICATORS; ++i)
        for (int late = 0; late < 3; ++late) {
            MPI_Comm comm;
            MPI_Comm_dup(MPI_COMM_WORLD, &comm);
            if (late == 1) call_all(comm);
            MPI_Comm_set_attr(comm, keyval, NULL);
            if (late == 2) call_all(comm);
            i % 2 ? MPI_Comm_free(&comm) : MPI_Comm_disconnect(&comm);
            expect(comm == MPI_COMM_NULL, "freed");
            call_all(MPI_COMM_WORLD);
        }
    MPI_Comm_free_keyval(&keyval);
}

static int finalizing(MPI_Comm comm, int keyval, void *attribute, void *extra) {
    (void)comm, (void)keyval, (void)attribute, (void)extra;
    MPI_Request_free(&request);
    if (request != MPI_REQUEST_NULL) fprintf(stderr, "rank %d: not freed\n", rank);
    return MPI_SUCCESS;
}

static void leave_a_request(void) {
#if MPI_VERSION >= 4
    int keyval;
    MPI_Allreduce_init(&sent, &received, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &request);
    sent = 1;
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, finalizing, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
    expect(received == p, "persistent allreduce");
#else
    expect(1, "no persistent collectives");
    (void)finalizing, (void)sent, (void)received;
#endif
}

static void add(void *in, void *mine, int *n, MPI_Datatype *type) {
    volatile char local[BYTES];
    for (int i = 0; i < BYTES; i += 1024) local[i] = (char)i;
    for (int i = 0; i < *n; ++i) ((int *)mine)[i] += ((int *)in)[i] + local[0];
    (void)type;
}

/* Calls that hopbine serves and others, on an intercommunicator, with an operation that needs much
 * stack. */
static void reduce_by_large_operations(void) {
    MPI_Op op;
    MPI_Comm half, both;
    MPI_Request started[2];
    int one = 1, sums[2] = {0, 0};
    MPI_Op_create(add, 1, &op);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &both);
    for (int i = 0; i < CALLS; ++i) {
        MPI_Iallreduce(&one, &sums[0], 1, MPI_INT, op, both, &started[0]);
        MPI_Iallreduce(&one, &sums[1], 1, MPI_INT, op, MPI_COMM_WORLD, &started[1]);
        MPI_Waitall(2, started, MPI_STATUSES_IGNORE);
        expect(sums[0] == (p + rank % 2) / 2 && sums[1] == p, "iallreduce");
    }
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    MPI_Op_free(&op);
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    if (!strcmp(argv[1], "free")) free_communicators();
    if (!strcmp(argv[1], "finalize")) leave_a_request();
    if (!strcmp(argv[1], "stack")) reduce_by_large_operations();
    int sums[2] = {passed, failed};
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%d passed, %d failed\n", sums[0], sums[1]);
    MPI_Finalize();
    return failed > 0;
}
