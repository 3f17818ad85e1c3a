/* Makes as many allreduces as the first argument says, in the way of the second. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int calls;
static double from[4096], to[4096];

static void *make_calls(void *comm) {
    for (int i = 0; i < calls; ++i)
        MPI_Allreduce(from, to, 4096, MPI_DOUBLE, MPI_SUM, *(MPI_Comm *)comm);
    return NULL;
}

/* Makes the calls in a thread of their own, which ends before the job does. */
static void in_thread(MPI_Comm comm) {
    pthread_t thread;
    pthread_create(&thread, NULL, make_calls, &comm);
    pthread_join(thread, NULL);
}

static void nonblocking(void) {
    for (int i = 0; i < calls; ++i) {
        MPI_Request request;
        MPI_Iallreduce(from, to, 4096, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

/* On communicators that are freed at once. */
static void many(void) {
    for (int i = 0; i < 4; ++i) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        make_calls(&comm);
        MPI_Comm_free(&comm);
    }
}

/* A few on each of many communicators that are freed at once. Rank 0 tells their seconds. */
static void short_lived(void) {
    const int communicators = calls / 10;
    int rank;
    double seconds = 0;
    calls = 10;
    for (int i = 0; i < communicators; ++i) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        const double began = MPI_Wtime();
        make_calls(&comm);
        seconds += MPI_Wtime() - began;
        MPI_Comm_free(&comm);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) printf("seconds %.9g\n", seconds);
}

/* MPI without MPI_Init: the MPI library serves all. */
static int sessions(void) {
#if MPI_VERSION >= 4
    MPI_Session session;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Session_finalize(&session);
#endif
    return 0;
}

int main(int argc, char **argv) {
    const char *how = argc > 2 ? argv[2] : "";
    int level;
    MPI_Comm comm = MPI_COMM_WORLD;
    calls = argc > 1 ? atoi(argv[1]) : 0;
    if (!strcmp(how, "session")) return sessions();
    MPI_Init_thread(&argc, &argv, strcmp(how, "thread") ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE,
                    &level);
    if (!strcmp(how, "self")) comm = MPI_COMM_SELF;
    if (!strcmp(how, "thread") && level == MPI_THREAD_MULTIPLE) in_thread(comm);
    if (!strcmp(how, "nonblocking"))
        nonblocking();
    else if (!strcmp(how, "many"))
        many();
    else if (!strcmp(how, "short-lived"))
        short_lived();
    else
        make_calls(&comm);
    if (!strcmp(how, "abort")) MPI_Abort(comm, 3);
    if (!strcmp(how, "exit")) _exit(0);
    MPI_Finalize();
    return 0;
}
