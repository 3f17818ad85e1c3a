/* What the programs of this folder tell the driver: a line `time NAME SECONDS`, `memory NAME KIB`
 * or `checksum DIGITS` each, from rank 0. Ranks gather by PMPI_, which is not a call of the program
 * under measurement. */
#ifndef HOPBINE_BENCHMARKS_LEARNING_REPORT_H
#define HOPBINE_BENCHMARKS_LEARNING_REPORT_H
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Rank in MPI_COMM_WORLD. */
static inline int world_rank(void) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

/* Ends the job: a wrong argument, or a file that cannot be read. */
static inline void give_up(const char *what, const char *given) {
    fprintf(stderr, "%s: %s\n", what, given);
    usleep(200000); /* launchers end jobs before they have passed on all that ranks wrote */
    MPI_Abort(MPI_COMM_WORLD, 2);
    exit(2);
}

/* The number in the command line at `at`, or `otherwise` where the line is shorter. */
static inline int number_of(int argc, char **argv, int at, int otherwise) {
    if (at >= argc) return otherwise;
    const int number = atoi(argv[at]);
    if (number < 1) give_up("a number of 1 or more is needed", argv[at]);
    return number;
}

/* The largest value of any rank, on all ranks. */
static inline double largest(double mine) {
    double all;
    PMPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

/* Tells the slowest rank's seconds, or the KiB of the rank that has most. */
static inline void tell(const char *what, const char *name, double mine) {
    const double all = largest(mine);
    if (world_rank() == 0) printf("%s %s %.9g\n", what, name, all);
}

/* Tells one number for the answers of all ranks. */
static inline void tell_checksum(uint64_t mine) {
    uint64_t all, weighted = mine * (2 * (uint64_t)world_rank() + 1);
    PMPI_Allreduce(&weighted, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (world_rank() == 0) printf("checksum %016llx\n", (unsigned long long)all);
}

/* Memory of this process that is resident, in KiB; 0 where the system does not tell. */
static inline double resident(void) {
    long all = 0, pages = 0;
    FILE *const f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%ld %ld", &all, &pages) != 2) pages = 0;
    if (f) fclose(f);
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / 1024;
}
#endif
