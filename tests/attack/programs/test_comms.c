#include "test_comms.h"

#include <stdlib.h>

enum { MOST_PLACES = 20 };
TestComm test_comms[MOST_PLACES];
int test_comms_known;
TestComm thread_comms[THREADS][THREAD_COMMS];

/* The ranks of those that data come from. */
static int *world_ranks(const TestComm *w) {
    MPI_Group world, group;
    int *all = malloc(sizeof(int) * (size_t)w->others),
        *out = malloc(sizeof(int) * (size_t)w->others);
    for (int r = 0; r < w->others; ++r) all[r] = r;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    if (w->inter)
        MPI_Comm_remote_group(w->comm, &group);
    else
        MPI_Comm_group(w->comm, &group);
    MPI_Group_translate_ranks(group, w->others, all, world, out);
    MPI_Group_free(&world);
    MPI_Group_free(&group);
    free(all);
    return out;
}

/* `group`: this rank's group in an intercommunicator. */
static TestComm test_comm(MPI_Comm comm, const char *name, int group) {
    TestComm w = {.comm = comm, .name = name};
    if (comm == MPI_COMM_NULL) return w;
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &w.rank);
    MPI_Comm_size(comm, &w.size);
    MPI_Comm_test_inter(comm, &w.inter);
    w.others = w.size;
    if (w.inter) {
        MPI_Comm_remote_size(comm, &w.others);
        w.group = group;
    }
    w.world = world_ranks(&w);
    return w;
}

static void add(MPI_Comm comm, const char *name, int group) {
    test_comms[test_comms_known++] = test_comm(comm, name, group);
}

/* The lower half of the ranks and the upper one, an intercommunicator of both, and its merger. */
static void halves(int rank, int p) {
    MPI_Comm half, between, merged;
    const int upper = rank >= (p + 1) / 2;
    MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &half);
    add(half, "a half", 0);
    if (p < 2) return;
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, upper ? 0 : (p + 1) / 2, 3, &between);
    add(between, "between the halves", upper);
    MPI_Intercomm_merge(between, !upper, &merged);
    add(merged, "halves merged, upper first", 0);
}

static void subset(int p) {
    MPI_Group all, some;
    MPI_Comm made;
    int ranks[64], n = 0;
    for (int r = p - 1; r >= 0; --r)
        if (r % 3 != 1) ranks[n++] = r;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, n, ranks, &some);
    MPI_Comm_create(MPI_COMM_WORLD, some, &made);
    add(made, "create of a subset, reversed", 0);
    MPI_Group_free(&some);
    MPI_Group_free(&all);
}

static void carts(int p) {
    MPI_Comm made, row;
    int dims[3] = {0}, periods[3] = {1, 0, 1}, keep[3] = {1, 0, 1};
    MPI_Dims_create(p, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &made);
    add(made, "cart of 2 dimensions", 0);
    dims[0] = dims[1] = dims[2] = 0;
    MPI_Dims_create(p, 3, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 1, &made);
    add(made, "cart of 3 dimensions", 0);
    MPI_Cart_sub(made, keep, &row);
    add(row, "plane of a cart", 0);
}

void make_test_comms(void) {
    MPI_Comm made;
    MPI_Request request;
    int rank, p;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    add(MPI_COMM_WORLD, "MPI_COMM_WORLD", 0);
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    add(made, "dup", 0);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &made);
    add(made, "split, reversed", 0);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &made);
    add(made, "split, odd and even", 0);
    MPI_Comm_split(MPI_COMM_WORLD, 0, (rank * 7 + 3) % 11, &made);
    add(made, "split, shuffled", 0);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made);
    add(made, "split_type, shared memory", 0);
    MPI_Comm_idup(MPI_COMM_WORLD, &made, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    add(made, "idup", 0);
    halves(rank, p);
    subset(p);
    carts(p);
    add(MPI_COMM_SELF, "MPI_COMM_SELF", 0);
    for (int t = 0; t < THREADS; ++t) {
        MPI_Comm_dup(MPI_COMM_WORLD, &made);
        thread_comms[t][0] = test_comm(made, "dup of a thread's own", 0);
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &made);
        thread_comms[t][1] = test_comm(made, "split of a thread's own", 0);
    }
}

void free_test_comm(TestComm *w) {
    if (w->comm != MPI_COMM_NULL && w->comm != MPI_COMM_WORLD && w->comm != MPI_COMM_SELF)
        MPI_Comm_free(&w->comm);
    free(w->world);
    w->world = NULL;
}

void free_test_comms(void) {
    for (int i = 0; i < test_comms_known; ++i) free_test_comm(&test_comms[i]);
    for (int t = 0; t < THREADS; ++t)
        for (int k = 0; k < THREAD_COMMS; ++k) free_test_comm(&thread_comms[t][k]);
}

TestComm new_test_comm(const TestComm *like, Draw *d) {
    MPI_Comm made;
    if (like->inter || one_in(d, 2))
        MPI_Comm_dup(like->comm, &made);
    else
        MPI_Comm_split(like->comm, (int)draw_below(d, 2), -like->rank, &made);
    return test_comm(made, "a new one", like->group);
}
