/* A process dies between allreduces; the others go on without it, as programs of ULFM do. Open MPI
 * may wait for it in MPI_Finalize, for ever: an alarm ends that. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

#ifdef OMPI_HAVE_MPI_EXT_FTMPI
enum { NUMBERS = 1000, CALLS = 20, SECONDS = 10 };

static int sum(double *all, MPI_Comm comm) {
    double mine[NUMBERS];
    for (int i = 0; i < NUMBERS; ++i) mine[i] = 1;
    return MPI_Allreduce(mine, all, NUMBERS, MPI_DOUBLE, MPI_SUM, comm);
}

int main(int argc, char **argv) {
    int rank, ranks, call = 0;
    double all[NUMBERS];
    MPI_Comm left;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    while (call < CALLS && !sum(all, MPI_COMM_WORLD))
        if (++call == CALLS / 2 && rank == ranks - 1) raise(SIGKILL);
    if (call < CALLS) MPIX_Comm_revoke(MPI_COMM_WORLD);
    MPIX_Comm_shrink(MPI_COMM_WORLD, &left);
    const int error = sum(all, left);
    printf("%s\n", call < CALLS && !error && all[0] == ranks - 1 ? "survived" : "lost");
    fflush(stdout);
    alarm(SECONDS);
    MPI_Finalize();
    return 0;
}
#else
int main(void) {
    puts("no ULFM");
    return 0;
}
#endif
