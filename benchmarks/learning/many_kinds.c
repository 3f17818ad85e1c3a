/* Many kinds of collectives and few calls of each, as applications make them: four communicators,
 * eight collectives, seven sizes. Tells the seconds in collectives of the slowest rank, those of
 * the last arriver (the least of any rank, call by call: what the call itself takes where ranks
 * arrive apart), and those for making the communicators.
 *   many_kinds CALLS [most=BYTES] [roots=N] [order=turns|drawn] [seed=N] [typical=FILE] [skew=FILE]
 * CALLS of each kind; vectors of 8 B to BYTES (65536); N roots in turns (1); kinds one after the
 * other, or in an order drawn from the seed. typical: writes the usual time of every kind. skew:
 * each rank computes before every call for 0 to 10 times what such a file says of its kind, half
 * of it drawn for the rank and the kind and half anew for each call. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../statistics.h"
#include "collectives.h"
#include "report.h"

enum { COMMUNICATORS = 4, SIZES = 7, KINDS = COMMUNICATORS * COLLECTIVES * SIZES };
/* Most that a rank computes before a call, in usual times of the call. */
static const double MOST_SKEW = 10;

struct options {
    int calls, most, roots, drawn;
    uint64_t seed;
    const char *typical, *skew;
};

/* What follows `name` and `=` in a word, else NULL. */
static const char *value_of(const char *word, const char *name) {
    const size_t n = strlen(name);
    return strncmp(word, name, n) || word[n] != '=' ? NULL : word + n + 1;
}

static void read_option(struct options *o, const char *word) {
    const char *value;
    if ((value = value_of(word, "most")))
        o->most = atoi(value);
    else if ((value = value_of(word, "roots")))
        o->roots = atoi(value);
    else if ((value = value_of(word, "seed")))
        o->seed = strtoull(value, NULL, 10);
    else if ((value = value_of(word, "typical")))
        o->typical = value;
    else if ((value = value_of(word, "skew")))
        o->skew = value;
    else if (!strcmp(word, "order=drawn"))
        o->drawn = 1;
    else if (strcmp(word, "order=turns"))
        give_up("most=, roots=, order=turns|drawn, seed=, typical=, skew= are known, not", word);
}

static struct options read_options(int argc, char **argv) {
    struct options o = {number_of(argc, argv, 1, 0), 1 << 16, 1, 0, 1, NULL, NULL};
    if (o.calls < 1) give_up("how many calls of a kind? usage", "many_kinds CALLS [NAME=VALUE...]");
    for (int i = 2; i < argc; ++i) read_option(&o, argv[i]);
    if (o.most < 8 || o.roots < 1) give_up("most of 8 and roots of 1 or more are needed", "");
    return o;
}

/* The next of a sequence of drawn numbers (splitmix64). */
static uint64_t next_drawn(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* A drawn share, 0 to 1. */
static double share(uint64_t *state) { return (double)(next_drawn(state) >> 11) * 0x1p-53; }

/* The communicators of a program: the world, a copy, one split by parity, one into halves. */
static void make_communicators(MPI_Comm *comms) {
    int p, rank;
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    comms[0] = MPI_COMM_WORLD;
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comms[2]);
    MPI_Comm_split(MPI_COMM_WORLD, rank < p / 2, rank, &comms[3]);
}

/* Bytes of size k: powers of two from 8 to `most` in steps as equal as these allow. */
static int size_of(int k, int most) {
    int bits = 0;
    while (16 << bits <= most) ++bits;
    return 8 << (2 * k * bits + SIZES - 1) / (2 * (SIZES - 1));
}

/* All kinds, communicator by communicator within a collective and size. */
static void make_kinds(struct call *kinds, const MPI_Comm *comms, int most) {
    for (int k = 0; k < KINDS; ++k) {
        struct call *const c = &kinds[k];
        c->comm = comms[k % COMMUNICATORS];
        c->collective = k / COMMUNICATORS % COLLECTIVES;
        c->bytes = size_of(k / (COMMUNICATORS * COLLECTIVES), most);
        c->root = 0;
        MPI_Comm_size(c->comm, &c->ranks);
        MPI_Comm_rank(c->comm, &c->rank);
    }
}

/* Which kind every call is of, the same on all ranks. */
static uint16_t *make_order(const struct options *o) {
    const size_t n = (size_t)o->calls * KINDS;
    uint16_t *const order = malloc(n * sizeof *order);
    uint64_t state = o->seed;
    if (!order) abort();
    for (size_t i = 0; i < n; ++i) order[i] = (uint16_t)(i % KINDS);
    for (size_t i = n - 1; o->drawn && i > 0; --i) {
        const size_t other = next_drawn(&state) % (i + 1);
        const uint16_t kept = order[i];
        order[i] = order[other], order[other] = kept;
    }
    return order;
}

/* Usual seconds of every kind, from a file. */
static void read_typical(const char *path, double *seconds) {
    FILE *const f = fopen(path, "r");
    if (!f) give_up("cannot be read", path);
    for (int k = 0; k < KINDS; ++k)
        if (fscanf(f, "%lf", &seconds[k]) != 1) give_up("has not a number for every kind", path);
    fclose(f);
}

/* Writes the usual seconds of every kind: the median of a rank's calls, of the slowest rank. */
static void write_typical(const char *path, const uint16_t *order, const float *took, int calls) {
    double *const of_kind = malloc((size_t)calls * sizeof *of_kind);
    FILE *const f = world_rank() ? NULL : fopen(path, "w");
    if (!of_kind || (!world_rank() && !f)) give_up("cannot be written", path);
    for (int k = 0; k < KINDS; ++k) {
        int n = 0;
        for (int i = 0; i < calls * KINDS; ++i)
            if (order[i] == k) of_kind[n++] = took[i];
        qsort(of_kind, (size_t)n, sizeof *of_kind, ascending);
        const double usual = largest(of_kind[n / 2]);
        if (f) fprintf(f, "%.9g\n", usual);
    }
    if (f) fclose(f);
    free(of_kind);
}

static void compute_for(double seconds) {
    const double end = MPI_Wtime() + seconds;
    while (MPI_Wtime() < end) {
    }
}

/* Makes all calls; `took` gets the seconds of each. Returns the checksum of this rank's answers. */
static uint64_t make_calls(const struct options *o, struct call *kinds, const uint16_t *order,
                           struct buffers *b, float *took) {
    double usual[KINDS], always[KINDS];
    int made[KINDS] = {0};
    uint64_t sum = 0, state = o->seed + 0x10001u * (uint64_t)(world_rank() + 1);
    if (o->skew) read_typical(o->skew, usual);
    for (int k = 0; k < KINDS; ++k) always[k] = share(&state);
    for (int i = 0; i < o->calls * KINDS; ++i) {
        const int k = order[i], turn = made[k]++;
        struct call *const c = &kinds[k];
        c->root = turn % o->roots % c->ranks;
        renew(b, c, turn);
        if (o->skew) compute_for(usual[k] * MOST_SKEW * (always[k] + share(&state)) / 2);
        const double begin = MPI_Wtime();
        make_call(b, c);
        took[i] = (float)(MPI_Wtime() - begin);
        sum = add_answer(sum, b, c, turn == o->calls - 1);
    }
    return sum;
}

/* Seconds of all calls, and of those of each collective; then each call's become those of the rank
 * that took least. */
static void tell_times(const struct call *kinds, const uint16_t *order, float *took, int n) {
    double of[COLLECTIVES] = {0}, mine = 0, least = 0;
    char name[64];
    for (int i = 0; i < n; ++i) of[kinds[order[i]].collective] += took[i], mine += took[i];
    tell("time", "collectives", mine);
    for (int k = 0; k < COLLECTIVES; ++k) {
        snprintf(name, sizeof name, "of/%s", NAMES[k]);
        tell("time", name, of[k]);
    }
    PMPI_Allreduce(MPI_IN_PLACE, took, n, MPI_FLOAT, MPI_MIN, MPI_COMM_WORLD);
    for (int i = 0; i < n; ++i) least += took[i];
    tell("time", "last_arriver", least);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const struct options o = read_options(argc, argv);
    int p;
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm comms[COMMUNICATORS];
    struct call kinds[KINDS];
    struct buffers b = make_buffers(o.most, p, world_rank());
    uint16_t *const order = make_order(&o);
    float *const took = calloc((size_t)o.calls * KINDS, sizeof *took);
    if (!took) abort();
    PMPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    make_communicators(comms);
    const double made = MPI_Wtime() - begin;
    make_kinds(kinds, comms, o.most);
    PMPI_Barrier(MPI_COMM_WORLD);
    const uint64_t sum = make_calls(&o, kinds, order, &b, took);
    if (o.typical) write_typical(o.typical, order, took, o.calls);
    tell("time", "communicators", made);
    tell_times(kinds, order, took, o.calls * KINDS);
    tell_checksum(sum);
    for (int i = 1; i < COMMUNICATORS; ++i) MPI_Comm_free(&comms[i]);
    free_buffers(&b), free(order), free(took);
    MPI_Finalize();
    return 0;
}
