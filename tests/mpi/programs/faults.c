/* faults KIND: rank 2 of 4 does what it should not, and the others wait for it in a call that ends
 * in "waits here"; what rank 2 did last ends in "guilty here". Or it is only late. */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GUILTY 2

static int rank, one, two;

static void loop(void) { for (volatile int i = 0;; ++i); }
static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); /* waits here */ }
static void calm(void) { MPI_Barrier(MPI_COMM_WORLD); /* guilty here */ }

static void ends(void) {
    calm();
    if (rank == GUILTY) _exit(0);
    barrier();
}
static void loops(void) {
    calm();
    if (rank == GUILTY) loop();
    barrier();
}
static void sleeps(void) {
    calm();
    if (rank == GUILTY) sleep(1000);
    barrier();
}
static void stops(void) {
    calm();
    if (rank == GUILTY) raise(SIGSTOP);
    barrier();
}
static void receives(void) {
    calm();
    if (rank == GUILTY)
        MPI_Recv(&one, 1, MPI_INT, 3, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* in Recv here */
    barrier();
}
static void another_order(void) {
    if (rank == GUILTY) MPI_Allreduce(&one, &two, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* other */
    barrier();
    MPI_Allreduce(&one, &two, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}
static void crossed(void) {
    MPI_Comm a, b;
    MPI_Comm_dup(MPI_COMM_WORLD, &a);
    MPI_Comm_dup(MPI_COMM_WORLD, &b);
    MPI_Comm_set_name(a, "first");
    MPI_Comm_set_name(b, "second");
    MPI_Barrier(rank == GUILTY ? b : a); /* waits here */
    MPI_Barrier(rank == GUILTY ? a : b);
}
static void another_root(void) {
    MPI_Bcast(&one, 1, MPI_INT, rank == GUILTY ? 3 : 0, MPI_COMM_WORLD); /* does not match */
    loop();
}
/* It gives less than the root takes, which no library sees: rank 1 receives from it, and it from
 * nobody. */
static void another_count(void) {
    int many[4] = {0}, all[16];
    MPI_Gather(many, rank == GUILTY ? 2 : 4, MPI_INT, all, 4, MPI_INT, 1, MPI_COMM_WORLD);
    loop();
}
static void another_type(void) {
    int many[4] = {0}, all[16];
    MPI_Gather(many, 4, rank == GUILTY ? MPI_SHORT : MPI_INT, all, 4, MPI_INT, 1, MPI_COMM_WORLD);
    loop();
}
static void another_operation(void) {
    MPI_Allreduce(&one, &two, 1, MPI_INT, rank == GUILTY ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD);
    loop();
}
static void another_place(void) {
    MPI_Allreduce(rank == GUILTY ? MPI_IN_PLACE : &one, &two, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    loop();
}
static void add(void *in, void *inout, int *n, MPI_Datatype *type) {
    (void)type;
    for (int i = 0; i < *n; ++i) ((int *)inout)[i] += ((int *)in)[i];
}
static void another_commutation(void) {
    MPI_Op op;
    MPI_Op_create(add, rank != GUILTY, &op);
    MPI_Allreduce(&one, &two, 1, MPI_INT, op, MPI_COMM_WORLD);
    loop();
}
static void never_waited_for(void) {
    static int many[1 << 20], sums[1 << 20];
    MPI_Request request;
    MPI_Iallreduce(many, sums, 1 << 20, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    if (rank == GUILTY) loop();
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* waits here */
}
/* Where a rank's exception has left the loop, main ends as it should. */
static void unwinds(void) {
    calm();
    if (rank != GUILTY) barrier();
}
static void *second(void *unused) {
    MPI_Barrier(MPI_COMM_WORLD);
    return unused;
}
static void calls_twice(void) {
    pthread_t thread;
    if (rank == GUILTY) {
        pthread_create(&thread, NULL, second, NULL);
        barrier();
        pthread_join(thread, NULL);
    }
    sleep(rank == GUILTY ? 0 : 1000);
}
static void another_vector(void) {
    const int counts[] = {1, 1, 1, rank == GUILTY ? 2 : 1}, displacements[] = {0, 1, 2, 3};
    int all[5];
    MPI_Allgatherv(&one, 1, MPI_INT, all, counts, displacements, MPI_INT, MPI_COMM_WORLD);
    loop();
}
static void another_derived(void) {
    MPI_Datatype type;
    int many[4] = {0}, all[16];
    MPI_Type_contiguous(rank == GUILTY ? 1 : 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Gather(many, 2, type, all, 4, MPI_INT, 1, MPI_COMM_WORLD);
    loop();
}
/* Messages are as long in both, so that the MPI library does not see it. */
static void another_started(void) {
    MPI_Request request;
    if (rank == GUILTY)
        MPI_Iscatter(NULL, 0, MPI_INT, &two, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    else
        MPI_Ibcast(&one, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* waits here, or in MPI_Finalize */
}
/* MPI_IN_PLACE where MPI allows it on some ranks, and handles that mean the same on all ranks. The
 * ranks come one after another, so that the watcher sees them in every call. */
static void matches(void) {
    const int counts[] = {0, 0, 1, 0}, root = GUILTY;
    MPI_Op first, op;
    MPI_Op_create(add, rank % 2, &first);
    if (rank % 2) MPI_Op_free(&first);
    MPI_Op_create(add, 0, &op);
    for (int call = 0; call < 7; ++call) {
        void *const at_root = rank == root ? MPI_IN_PLACE : &one;
        int all[4] = {0};
        calm();
        usleep(100000u * (unsigned)rank);
        if (call == 0) MPI_Reduce(at_root, all, 1, MPI_INT, op, root, MPI_COMM_WORLD);
        if (call == 1) MPI_Gather(at_root, 1, MPI_INT, all, 1, MPI_INT, root, MPI_COMM_WORLD);
        if (call == 2) MPI_Scatter(all, 1, MPI_INT, at_root, 1, MPI_INT, root, MPI_COMM_WORLD);
        if (call == 3)
            MPI_Reduce_scatter(rank == root ? all : MPI_IN_PLACE, rank == root ? &one : all, counts,
                               MPI_INT, op, MPI_COMM_WORLD);
        if (call == 4) MPI_Scan(at_root, &two, 1, MPI_INT, op, MPI_COMM_WORLD);
        if (call == 5) MPI_Exscan(at_root, &two, 1, MPI_INT, op, MPI_COMM_WORLD);
        if (call == 6) MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    }
    MPI_Op_free(&op);
}
/* It computes for three limits of a second, and the job goes on. */
static void late(void) {
    calm();
    if (rank == GUILTY) sleep(3);
    barrier();
    sleep(2);
}
/* Ranks are in calls or shortly outside of them. */
static void goes_on(void) {
    for (int call = 0; call < 40; ++call) {
        usleep(100000);
        calm();
    }
}

static const struct {
    const char *name;
    void (*run)(void);
} kinds[] = {{"ends", ends},
             {"loops", loops},
             {"sleeps", sleeps},
             {"stops", stops},
             {"receives", receives},
             {"another_order", another_order},
             {"crossed", crossed},
             {"another_root", another_root},
             {"another_count", another_count},
             {"another_type", another_type},
             {"another_operation", another_operation},
             {"another_place", another_place},
             {"another_commutation", another_commutation},
             {"another_vector", another_vector},
             {"another_derived", another_derived},
             {"another_started", another_started},
             {"matches", matches},
             {"never_waited_for", never_waited_for},
             {"unwinds", unwinds},
             {"calls_twice", calls_twice},
             {"late", late},
             {"goes_on", goes_on}};

int main(int argc, char **argv) {
    const char *const kind = argc > 1 ? argv[1] : "";
    int level;
    MPI_Init_thread(&argc, &argv,
                    strcmp(kind, "calls_twice") ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
        if (!strcmp(kinds[i].name, kind)) kinds[i].run();
    MPI_Finalize();
    return 0;
}
