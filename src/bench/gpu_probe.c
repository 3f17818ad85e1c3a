/* hopbine-gpu_probe: whether the MPI library takes GPU memory, which it may not survive.
 *
 *   hopbine-gpu_probe messages|collectives    two ranks
 *
 * `hopbine gpu probe` starts it. Rank 0 prints `record FILE<TAB>SUBJECT` at once, and `right` once
 * all data has arrived as it was sent. Exit code 3: other data arrived; 4: there is no GPU. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu_memory.h"

/* 64 bytes are sent at once, 1 MiB is asked for first, 8 MiB goes in pieces. An odd address. */
static const int kBytes[] = {64, 64 << 10, 1 << 20, 8 << 20};
enum { SIZES = sizeof kBytes / sizeof *kBytes, MOST = 8 << 20, OFF = 4, WRONG = 3, ABSENT = 4 };
static int rank;
static char *device[2], *host[2]; /* sent from and received into */

static void end(int code, const char *what) {
    fprintf(stderr, "hopbine-gpu_probe: rank %d: %s\n", rank, what);
    usleep(300000); /* launchers forget what they have not yet forwarded */
    MPI_Abort(MPI_COMM_WORLD, code);
}

/* What a rank sends: small numbers, whose sums are exact. */
static float value(int of, int i) { return (float)(i % 1000 + 7 * of + 1); }

static void fill(int bytes) {
    float *const out = (float *)(host[0] + OFF);
    for (int i = 0; i < bytes / 4; ++i) out[i] = value(rank, i);
    memset(host[1], 0x5a, MOST);
    if (gpu_write(device[0], host[0], MOST) || gpu_write(device[1], host[1], MOST))
        end(ABSENT, "the GPU copies nothing");
}

/* What arrived: other(i) * times + first(i). */
static void expect(int bytes, int of, int with, const char *what) {
    const float *const in = (float *)(host[1] + OFF);
    if (gpu_read(host[1], device[1], MOST)) end(ABSENT, "the GPU copies nothing");
    for (int i = 0; i < bytes / 4; ++i)
        if (in[i] != value(of, i) + (with < 0 ? 0 : value(with, i))) end(WRONG, what);
}

/* By the functions that hopbine's algorithms call. Both ways at once, and one way, from the GPU to
 * the host and back. */
static void try_messages(int bytes) {
    const int other = 1 - rank;
    MPI_Request requests[2];
    fill(bytes);
    PMPI_Irecv(device[1] + OFF, bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD, &requests[0]);
    PMPI_Isend(device[0] + OFF, bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    expect(bytes, other, -1, "a message arrived with other data");
    for (int from_gpu = 0; from_gpu < 2; ++from_gpu) {
        fill(bytes);
        if (rank == from_gpu)
            PMPI_Send(device[0] + OFF, bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD);
        else
            PMPI_Recv(host[1] + OFF, bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank != from_gpu && memcmp(host[1] + OFF, &(float){value(other, 0)}, 4))
            end(WRONG, "a message to the host arrived with other data");
        if (rank == from_gpu)
            PMPI_Recv(device[1] + OFF, bytes, MPI_BYTE, other, 2, MPI_COMM_WORLD,
                      MPI_STATUS_IGNORE);
        else
            PMPI_Send(host[0] + OFF, bytes, MPI_BYTE, other, 2, MPI_COMM_WORLD);
        if (rank == from_gpu) expect(bytes, other, -1, "a message from the host has other data");
    }
}

#define HALF (bytes / 8) /* floats of a block */
static void try_collectives(int bytes) {
    char *const s = device[0] + OFF, *const r = device[1] + OFF;
    const int n = bytes / 4;
    fill(bytes);
    MPI_Allreduce(s, r, n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    expect(bytes, 0, 1, "MPI_Allreduce is wrong");
    fill(bytes);
    MPI_Reduce(s, r, n, MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) expect(bytes, 0, 1, "MPI_Reduce is wrong");
    MPI_Bcast(rank ? r : s, n, MPI_FLOAT, 0, MPI_COMM_WORLD);
    if (rank) expect(bytes, 0, -1, "MPI_Bcast is wrong");
    fill(bytes);
    MPI_Reduce_scatter_block(s, r, HALF, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) expect(bytes / 2, 0, 1, "MPI_Reduce_scatter_block is wrong");
    fill(bytes);
    MPI_Allgather(s, HALF, MPI_FLOAT, r, HALF, MPI_FLOAT, MPI_COMM_WORLD);
    expect(bytes / 2, 0, -1, "MPI_Allgather is wrong");
    fill(bytes);
    MPI_Gather(s, HALF, MPI_FLOAT, r, HALF, MPI_FLOAT, 0, MPI_COMM_WORLD);
    if (rank == 0) expect(bytes / 2, 0, -1, "MPI_Gather is wrong");
    fill(bytes);
    MPI_Scatter(s, HALF, MPI_FLOAT, r, HALF, MPI_FLOAT, 0, MPI_COMM_WORLD);
    if (rank == 0) expect(bytes / 2, 0, -1, "MPI_Scatter is wrong");
    fill(bytes);
    MPI_Alltoall(s, HALF, MPI_FLOAT, r, HALF, MPI_FLOAT, MPI_COMM_WORLD);
    if (rank == 0) expect(bytes / 2, 0, -1, "MPI_Alltoall is wrong");
    fill(bytes);
    MPI_Scan(s, r, n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    if (rank) expect(bytes, 0, 1, "MPI_Scan is wrong");
}

static void print_record(void) {
    const char *(*record)(void);
    *(void **)&record = dlsym(RTLD_DEFAULT, "hopbine_gpu_record");
    if (!record) end(2, "it is to run under hopbine run");
    printf("record %s\n", record());
    fflush(stdout);
}

static void open_gpu(void) {
    MPI_Comm node;
    int place;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &place);
    MPI_Comm_free(&node);
    const char *const why = gpu_open(place);
    if (why) end(ABSENT, why);
    for (int b = 0; b < 2; ++b) {
        device[b] = gpu_allocate(MOST + OFF), host[b] = malloc(MOST + OFF);
        if (!device[b] || !host[b]) end(ABSENT, "no memory is left");
    }
}

int main(int argc, char **argv) {
    int ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int collectives = argc == 2 && !strcmp(argv[1], "collectives");
    if (ranks != 2 || argc != 2 || (!collectives && strcmp(argv[1], "messages")))
        end(2, "usage: two ranks of hopbine-gpu_probe messages|collectives");
    open_gpu();
    if (rank == 0) print_record();
    for (int k = 0; k < SIZES; ++k)
        collectives ? try_collectives(kBytes[k] - OFF) : try_messages(kBytes[k] - OFF);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) printf("right\n");
    MPI_Finalize();
    return 0;
}
