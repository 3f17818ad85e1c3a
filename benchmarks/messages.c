/* Messages from rank to rank, as a file tells them, and how long they take.
 *
 *   mpicc -O2 -o messages benchmarks/messages.c
 *   mpiexec -n 16 ./messages FILE LOOPS
 *
 * FILE is CSV from,to,bytes, as hopbine order --messages takes it. In a loop every rank posts its
 * receives, then its sends, and waits for all. Prints "seconds X": the median of LOOPS loops, each
 * the longest time of a rank. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "statistics.h"

enum { MOST = 65536 };

typedef struct {
    int to, bytes;
    char *data;
} Message;

static Message sends[MOST], receives[MOST];
static int sent, received;

static void keep(Message *all, int *count, int peer, int bytes) {
    if (*count == MOST) MPI_Abort(MPI_COMM_WORLD, 2);
    all[(*count)++] = (Message){peer, bytes, malloc((size_t)bytes + 1)};
}

static void read_messages(const char *name, int rank) {
    FILE *const file = fopen(name, "r");
    int from, to, bytes;
    if (!file) {
        perror(name);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    while (fscanf(file, "%d,%d,%d\n", &from, &to, &bytes) == 3 && bytes >= 0) {
        if (from == rank) keep(sends, &sent, to, bytes);
        if (to == rank) keep(receives, &received, from, bytes);
    }
    fclose(file);
}

static double loop(MPI_Request *requests) {
    int n = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    const double begun = MPI_Wtime();
    for (int i = 0; i < received; ++i)
        MPI_Irecv(receives[i].data, receives[i].bytes, MPI_BYTE, receives[i].to, 0, MPI_COMM_WORLD,
                  &requests[n++]);
    for (int i = 0; i < sent; ++i)
        MPI_Isend(sends[i].data, sends[i].bytes, MPI_BYTE, sends[i].to, 0, MPI_COMM_WORLD,
                  &requests[n++]);
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
    double took = MPI_Wtime() - begun, longest;
    MPI_Reduce(&took, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return longest;
}

int main(int count, char **words) {
    int rank;
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (count != 3 || atoi(words[2]) < 1) {
        fprintf(stderr, "messages FILE LOOPS\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    read_messages(words[1], rank);
    const int loops = atoi(words[2]);
    MPI_Request *const requests = malloc((size_t)(sent + received + 1) * sizeof *requests);
    double *const times = malloc((size_t)loops * sizeof *times);
    for (int i = 0; i < loops; ++i) times[i] = loop(requests);
    qsort(times, (size_t)loops, sizeof *times, ascending);
    if (rank == 0) printf("seconds %.6f\n", times[loops / 2]);
    MPI_Finalize();
    return 0;
}
