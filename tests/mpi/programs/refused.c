/* Calls that the MPI library refuses on one rank, which then makes the right one. As in the library
 * alone, the wrong call has not happened: the other ranks take the right one for theirs.
 *
 *   mpiexec -n 4 hopbine run ./refused type [ROUNDS]    [-DFORM_NONBLOCKING or -DFORM_PERSISTENT]
 *
 * Wrong calls have no datatype; with `alias` in place of `type` one buffer twice, and none in a
 * bcast. With ROUNDS they are on a copy of MPI_COMM_WORLD. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forms.h"

/* More calls than agreements of the ranks need, or what begins late. */
enum { ROUNDS = 40, MOST = 64 };

static MPI_Comm comm;
static int rank, p, passed, failed;
static int one = 1, got[MOST];

static void expect(int holds, const char *what, int round) {
    holds ? ++passed : ++failed;
    if (!holds) fprintf(stderr, "rank %d, round %d: %s\n", rank, round, what);
}

enum way { RIGHT, WRONG };
static int aliases;

static MPI_Datatype type_of(enum way way) {
    return way == WRONG && !aliases ? MPI_DATATYPE_NULL : MPI_INT;
}
static const int *sent(enum way way) { return way == WRONG && aliases ? got : &one; }

static int bcast(enum way way) { return MPI_Bcast(got, 1, type_of(way), 0, comm); }
static int reduce(enum way way) {
    return MPI_Reduce(sent(way), got, 1, type_of(way), MPI_SUM, 0, comm);
}
static int allreduce(enum way way) {
    return MPI_Allreduce(sent(way), got, 1, type_of(way), MPI_SUM, comm);
}
static int exscan(enum way way) {
    return MPI_Exscan(sent(way), got, 1, type_of(way), MPI_SUM, comm);
}
static int gather(enum way way) {
    return MPI_Gather(sent(way), 1, MPI_INT, got, 1, type_of(way), 0, comm);
}

/* On one rank first the wrong way. */
static void call(int (*f)(enum way), int wrong, const char *name, int round) {
    if (rank == wrong) expect(f(WRONG) != MPI_SUCCESS, name, round);
    expect(f(RIGHT) == MPI_SUCCESS, name, round);
}

int main(int argc, char **argv) {
    aliases = argc > 1 && !strcmp(argv[1], "alias");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    const int rounds = argc > 2 ? atoi(argv[2]) : ROUNDS;
    comm = MPI_COMM_WORLD;
    if (argc > 2) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (int round = 0; round < rounds; ++round) {
        if (rank == 0) expect(reduce(WRONG) != MPI_SUCCESS, "alone", round);
        got[0] = rank ? -1 : round;
        call(bcast, aliases ? MPI_PROC_NULL : p - 1, "bcast", round);
        expect(got[0] == round, "result of bcast", round);
        call(reduce, 0, "reduce", round);
        if (rank == 0) expect(got[0] == p, "result of reduce", round);
        call(allreduce, p / 2, "allreduce", round);
        expect(got[0] == p, "result of allreduce", round);
        call(exscan, 0, "exscan", round);
        if (rank) expect(got[0] == rank, "result of exscan", round);
        for (int r = 0; r < p; ++r) got[r] = 0;
        call(gather, 0, "gather", round);
        for (int r = 0; r < p && rank == 0; ++r) expect(got[r] == 1, "result of gather", round);
    }
    int sums[2] = {passed, failed};
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%d passed, %d failed\n", sums[0], sums[1]);
    MPI_Finalize();
    return failed > 0;
}
