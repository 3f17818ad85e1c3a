/* The kinds of calls that are recorded, their arms, and how one of them is called. */
#ifndef HOPBINE_REGRET_RECORD_H
#define HOPBINE_REGRET_RECORD_H
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

#include "../collective_names.h"

enum { MOST_KINDS = 64, MOST_ARMS = 6, LONGEST = 128, MOST_APART = 16 };
enum { MOST_RECORDED = MOST_ARMS * LONGEST };

/* A kind of calls. */
struct kind {
    int number, which;
    char collective[32];
    int bytes, longest, apart;
    int n, m;    /* elements of the vector, and of a rank's block */
    int doubles; /* a maximum of doubles in place of a sum of floats */
    int arms;
    char arm[MOST_ARMS][64];
};

/* MPI functions, as a program calls them or the library's own. */
struct functions {
#define RECORDED(F)         \
    F(Bcast)                \
    F(Reduce)               \
    F(Allreduce)            \
    F(Reduce_scatter_block) \
    F(Gather) F(Scatter) F(Allgather) F(Alltoall) F(Barrier) F(Comm_dup) F(Comm_free)
#define MEMBER(name) __typeof__(&MPI_##name) name;
    RECORDED(MEMBER)
};
extern struct functions of_library;
extern const struct functions as_called;
extern int rank;

/* Ends the job with a message of rank 0. */
void give_up(const char *what, const char *which);
/* Reads the kinds of a file, and makes buffers for all of them. Returns their number. */
int open_kinds(const char *path, struct kind *kinds);
/* Selects an arm; returns the functions that call it. */
const struct functions *take(const struct kind *k, int arm);
/* Selects arm `arm` of each of these kinds, or the last one before it; `arms` says which. */
void take_all(const struct kind *from, const struct kind *to, int arm, int *arms);
/* Whether one of these kinds has so many arms. */
int any_has(const struct kind *from, const struct kind *to, int arm);
/* Ends the job if the last call was not served by the arm. */
void demand_served(const struct kind *k, int arm);
void call(const struct functions *f, const struct kind *k, MPI_Comm comm);

/* Calls that belong together. series NULL: they are not printed. */
struct part {
    const char *series;
    int kind, arm, calls;
};
/* A call, whose times are kept until the next report. */
void timed(const struct functions *f, const struct kind *k, MPI_Comm comm);
/* Combines what all ranks have kept, and prints it in these parts. */
void report(const struct part *parts, int n);
#endif
