/* Prints the CPU time in seconds that a rank has taken at the end of MPI_Finalize, with what came
 * before the program in the same process: `hopbine run`. */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

int main(int argc, char **argv) {
    struct timespec t;
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    printf("%.6f\n", (double)t.tv_sec + (double)t.tv_nsec * 1e-9);
    return 0;
}
