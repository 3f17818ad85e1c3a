#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "../past_preload.h"
#include "record.h"

struct functions of_library;
#define AS_CALLED(name) MPI_##name,
const struct functions as_called = {RECORDED(AS_CALLED)};
int rank;

static void *from, *to;
static int (*select_algorithm)(const char *);
static const char *(*last_served)(void);

void give_up(const char *what, const char *which) {
    if (rank == 0) fprintf(stderr, "record: %s: %s\n", what, which);
    fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, 2);
    exit(2);
}

static int named(const char *collective) {
    for (int i = 0; i < WITH_BARRIER; ++i)
        if (!strcmp(NAMES[i], collective)) return i;
    give_up("unknown collective", collective);
    return -1;
}

/* One line of the file. */
static void read_kind(struct kind *k, char *line, int ranks) {
    int at;
    if (sscanf(line, "%31s %d %d %d%n", k->collective, &k->bytes, &k->longest, &k->apart, &at) != 4)
        give_up("not COLLECTIVE BYTES LONGEST APART ARM...", line);
    k->which = named(k->collective);
    k->n = k->bytes / (int)sizeof(float);
    k->m = k->n / ranks;
    if (k->apart > MOST_APART || k->longest > LONGEST) give_up("too many calls", line);
    if (k->which > ALLREDUCE && k->m == 0) give_up("fewer elements than ranks", line);
    for (char *word = strtok(line + at, " \n"); word; word = strtok(NULL, " \n")) {
        if (k->arms == MOST_ARMS || strlen(word) >= sizeof *k->arm) give_up("too many arms", word);
        strcpy(k->arm[k->arms++], word);
    }
    if (k->arms < 2 || strcmp(k->arm[0], "mpi"))
        give_up("the first arm must be mpi, others must follow", k->collective);
}

static void find_functions(void) {
#define FIND(name) *(void **)&of_library.name = past_preload("PMPI_" #name);
    RECORDED(FIND)
    *(void **)&select_algorithm = dlsym(RTLD_DEFAULT, "hopbine_select");
    *(void **)&last_served = dlsym(RTLD_DEFAULT, "hopbine_last_served");
    if (!select_algorithm || !last_served) give_up("run it under", "hopbine run");
}

int open_kinds(const char *path, struct kind *kinds) {
    int n = 0, most = 1024, ranks;
    char line[512];
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    find_functions();
    FILE *file = fopen(path, "r");
    if (!file) give_up("cannot be read", path);
    for (; fgets(line, sizeof line, file); ++n) {
        if (n == MOST_KINDS) give_up("too many kinds", path);
        kinds[n].number = n;
        read_kind(&kinds[n], line, ranks);
        if (kinds[n].bytes > most) most = kinds[n].bytes;
    }
    fclose(file);
    from = calloc(1, (size_t)most), to = calloc(1, (size_t)most);
    if (!from || !to) give_up("memory is short", path);
    return n;
}

/* Selects algorithms, such as "bcast=knomial,reduce=knomial". */
static void choose(const char *spec) {
    if (select_algorithm(spec)) give_up("cannot be selected", spec);
}

const struct functions *take(const struct kind *k, int arm) {
    char spec[128];
    if (arm == 0) return &of_library;
    snprintf(spec, sizeof spec, "%s=%s", k->collective, k->arm[arm]);
    choose(spec);
    return &as_called;
}

void take_all(const struct kind *first, const struct kind *end, int arm, int *arms) {
    char spec[WITH_BARRIER * 128] = "";
    size_t used = 0;
    for (const struct kind *k = first; k < end; ++k) {
        const int a = arms[k - first] = arm < k->arms ? arm : k->arms - 1;
        used += (size_t)snprintf(spec + used, sizeof spec - used, "%s%s=%s", used ? "," : "",
                                 k->collective, k->arm[a]);
    }
    choose(spec);
}

int any_has(const struct kind *first, const struct kind *end, int arm) {
    for (const struct kind *k = first; k < end; ++k)
        if (arm < k->arms) return 1;
    return 0;
}

void demand_served(const struct kind *k, int arm) {
    char what[300];
    const size_t length = strcspn(k->arm[arm], ":");
    const char *served = last_served();
    if (arm == 0 ||
        (!strncmp(served, k->arm[arm], length) && (!served[length] || served[length] == ':')))
        return;
    snprintf(what, sizeof what, "%s of %d bytes, in place of %s", k->collective, k->bytes,
             k->arm[arm]);
    give_up(served, what);
}

void call(const struct functions *f, const struct kind *k, MPI_Comm comm) {
    const MPI_Datatype type = k->doubles ? MPI_DOUBLE : MPI_FLOAT;
    const MPI_Op op = k->doubles ? MPI_MAX : MPI_SUM;
    const int n = k->n, m = k->m;
    switch (k->which) {
    case BCAST: f->Bcast(from, n, type, 0, comm); break;
    case REDUCE: f->Reduce(from, to, n, type, op, 0, comm); break;
    case ALLREDUCE: f->Allreduce(from, to, n, type, op, comm); break;
    case REDUCE_SCATTER: f->Reduce_scatter_block(from, to, m, type, op, comm); break;
    case GATHER: f->Gather(from, m, type, to, m, type, 0, comm); break;
    case SCATTER: f->Scatter(from, m, type, to, m, type, 0, comm); break;
    case ALLGATHER: f->Allgather(from, m, type, to, m, type, comm); break;
    case ALLTOALL: f->Alltoall(from, m, type, to, m, type, comm); break;
    default: f->Barrier(comm);
    }
}
