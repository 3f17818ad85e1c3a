/* Barriers by several algorithms: no rank leaves one before all have come.
 *
 *   barrier ALGORITHM...   (under hopbine run; ALGORITHM as after barrier=, or mpi)
 *
 * Every rank counts its arrivals in memory that all share. In each round another rank is late.
 * Prints "N passed, M failed" on rank 0. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static void come_late(void) {
    const struct timespec some = {.tv_nsec = 2000000};
    nanosleep(&some, NULL);
}

int main(int argc, char **argv) {
    int rank, p, unit, passed = 0, failed = 0, all;
    MPI_Aint bytes;
    MPI_Win window;
    atomic_int *arrived;
    int (*choose)(const char *);
    const char *(*served)(void);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    *(void **)&choose = dlsym(RTLD_DEFAULT, "hopbine_select");
    *(void **)&served = dlsym(RTLD_DEFAULT, "hopbine_last_served");
    if (!choose || !served) MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Win_allocate_shared(rank ? 0 : sizeof *arrived, sizeof *arrived, MPI_INFO_NULL,
                            MPI_COMM_WORLD, &arrived, &window);
    MPI_Win_shared_query(window, 0, &bytes, &unit, &arrived);
    if (rank == 0) atomic_store(arrived, 0);
    PMPI_Barrier(MPI_COMM_WORLD);
    int rounds = 0;
    for (int i = 1; i < argc; ++i) {
        char chosen[100];
        snprintf(chosen, sizeof chosen, "barrier=%s", argv[i]);
        if (choose(chosen)) MPI_Abort(MPI_COMM_WORLD, 2);
        for (int late = 0; late < p; ++late) {
            if (rank == late) come_late();
            atomic_fetch_add(arrived, 1);
            MPI_Barrier(MPI_COMM_WORLD);
            const int seen = atomic_load(arrived);
            /* Ranks that left may have come to the next barrier already. */
            const int right = seen >= ++rounds * p && (p == 1 || !strcmp(served(), argv[i]));
            if (!right)
                fprintf(stderr, "rank %d: %s by %s: %d of %d had come\n", rank, argv[i], served(),
                        seen, rounds * p);
            *(right ? &passed : &failed) += 1;
        }
    }
    choose("allreduce=mpi");
    MPI_Allreduce(&failed, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%d passed, %d failed\n", passed, all);
    MPI_Win_free(&window);
    MPI_Finalize();
    return all > 0;
}
