#include "collectives.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static MPI_Datatype type_of(enum element e) {
    return e == INT32 ? MPI_INT32_T : e == FLOAT32 ? MPI_FLOAT : MPI_DOUBLE;
}

static void put(const struct work *w, void *buffer, int i, int value) {
    if (w->element == INT32)
        ((int32_t *)buffer)[i] = value;
    else if (w->element == FLOAT32)
        ((float *)buffer)[i] = (float)value;
    else
        ((double *)buffer)[i] = value;
}

static int get(const struct work *w, const void *buffer, int i) {
    return w->element == INT32     ? ((const int32_t *)buffer)[i]
           : w->element == FLOAT32 ? (int)((const float *)buffer)[i]
                                   : (int)((const double *)buffer)[i];
}

static int is(const struct work *w, const char *collective) {
    return strcmp(w->collective, collective) == 0;
}
static int whole_vector(const struct work *w) {
    return is(w, "bcast") || is(w, "reduce") || is(w, "allreduce") || is(w, "scan") ||
           is(w, "exscan");
}
static int of_lengths(const struct work *w) { return is(w, "alltoallv"); }
static int sends_all(const struct work *w) {
    return is(w, "alltoall") || of_lengths(w) || is(w, "scatter") || is(w, "reduce_scatter");
}
static int receives_all(const struct work *w) {
    return is(w, "alltoall") || of_lengths(w) || is(w, "gather") || is(w, "allgather");
}

/* Sets the elements and bytes of `w` for a size. NULL, or the error. */
static const char *measure(struct work *w, const char *size) {
    if (of_lengths(w)) {
        const char *why = distribution_open(&w->lengths, size, w->width);
        if (why) return why;
        const int64_t longest = distribution_longest(&w->lengths);
        if (longest > INT_MAX / w->ranks)
            return "a rank's blocks have more elements than an MPI count can tell";
        w->n = (int)longest;
        w->vector = (size_t)(distribution_mean(&w->lengths) + 0.5);
    } else {
        char *end;
        const size_t blocks = whole_vector(w) ? 1 : (size_t)w->ranks,
                     elements = strtoull(size, &end, 10) / w->width / blocks;
        if (*end || end == size) return "its size is not a number of bytes";
        if (elements > INT_MAX / blocks) return "it has more elements than an MPI count can tell";
        w->n = elements ? (int)elements : 1;
        w->vector = is(w, "barrier") ? 0 : (size_t)w->n * blocks * w->width;
    }
    const size_t block = (size_t)w->n * w->width;
    w->send_bytes = block * (sends_all(w) ? (size_t)w->ranks : 1);
    w->recv_bytes = block * (receives_all(w) ? (size_t)w->ranks : 1);
    return NULL;
}

/* The name as a constant, or NULL. */
static const char *known_collective(const char *name) {
    static const char *const known[] = {"bcast",     "reduce",  "allreduce", "reduce_scatter",
                                        "scatter",   "gather",  "allgather", "alltoall",
                                        "alltoallv", "barrier", "scan",      "exscan"};
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        if (!strcmp(name, known[i])) return known[i];
    return NULL;
}

const char *work_open(struct work *w, const char *collective, const char *size,
                      enum element element, enum counts counts, int root, MPI_Comm comm) {
    memset(w, 0, sizeof *w);
    w->collective = known_collective(collective);
    if (!w->collective) return "it is unknown";
    MPI_Comm_rank(comm, &w->rank);
    MPI_Comm_size(comm, &w->ranks);
    w->root = root;
    w->element = element;
    w->width = element == FLOAT64 ? 8 : 4;
    w->of_calls = counts;
    const char *why = measure(w, size);
    if (why) return why;
    w->send = malloc(w->send_bytes);
    w->recv = malloc(w->recv_bytes);
    w->counts = malloc(sizeof(int) * 4 * (size_t)w->ranks);
    if (!w->send || !w->recv || !w->counts) why = "memory is short";
    for (int r = 0; !why && r < w->ranks; ++r) w->counts[r] = w->n;
    if (!why && of_lengths(w) && counts == NEW_COUNTS) {
        w->other = malloc(sizeof *w->other);
        why = w->other ? work_open(w->other, collective, size, element, SAME_COUNTS, root, comm)
                       : "memory is short";
        if (!why)
            w->other->of_calls = NEW_COUNTS;
        else
            free(w->other), w->other = NULL;
    }
    if (why) work_close(w);
    return why;
}

void work_close(struct work *w) {
    if (w->other) work_close(w->other);
    free(w->other);
    free(w->send);
    free(w->recv);
    free(w->counts);
}

/* Element i that rank `from` sends: below 2^10, so that sums over 2^14 ranks stay exact in
 * float32. */
static int sent(int from, int i, int round) { return (from * 31 + i * 7 + round * 13) % 1021; }

static void draw_lengths(struct work *w, int round) {
    int *sent_lengths = w->counts, *sent_at = sent_lengths + w->ranks,
        *lengths = sent_at + w->ranks, *at = lengths + w->ranks;
    for (int r = 0; r < w->ranks; ++r) {
        sent_lengths[r] = (int)distribution_draw(&w->lengths, w->rank, r, round);
        lengths[r] = (int)distribution_draw(&w->lengths, r, w->rank, round);
        sent_at[r] = r ? sent_at[r - 1] + sent_lengths[r - 1] : 0;
        at[r] = r ? at[r - 1] + lengths[r - 1] : 0;
    }
}

/* Element k of the block from one rank to another. */
static int in_block(int from, int to, int k, int round) { return sent(from, to * 37 + k, round); }

static int blocks_right(const struct work *w, int round) {
    const int *lengths = w->counts + 2 * w->ranks, *at = lengths + w->ranks;
    for (int r = 0; r < w->ranks; ++r)
        for (int k = 0; k < lengths[r]; ++k)
            if (get(w, w->recv, at[r] + k) != in_block(r, w->rank, k, round)) return 0;
    return 1;
}

void work_fill(struct work *w, int round) {
    int in = (int)(w->send_bytes / w->width), out = (int)(w->recv_bytes / w->width);
    for (int i = 0; i < in; ++i) put(w, w->send, i, sent(w->rank, i, round));
    for (int i = 0; i < out; ++i)
        put(w, w->recv, i, is(w, "bcast") && w->rank == w->root ? sent(w->root, i, round) : -1);
    if (!of_lengths(w)) return;
    draw_lengths(w, w->of_calls == NEW_COUNTS ? round : 0);
    for (int r = 0; r < w->ranks; ++r)
        for (int k = 0; k < w->counts[r]; ++k)
            put(w, w->send, w->counts[w->ranks + r] + k, in_block(w->rank, r, k, round));
}

#define AS_CALLED(name) MPI_##name,
const struct work_functions work_as_called = {WORK_FUNCTIONS(AS_CALLED)};

int work_call_by(const struct work_functions *by, struct work *w, MPI_Comm comm) {
    MPI_Datatype t = type_of(w->element);
    if (is(w, "bcast")) return by->Bcast(w->recv, w->n, t, w->root, comm);
    if (is(w, "reduce")) return by->Reduce(w->send, w->recv, w->n, t, MPI_SUM, w->root, comm);
    if (is(w, "allreduce")) return by->Allreduce(w->send, w->recv, w->n, t, MPI_SUM, comm);
    if (is(w, "reduce_scatter"))
        return by->Reduce_scatter(w->send, w->recv, w->counts, t, MPI_SUM, comm);
    if (is(w, "scatter")) return by->Scatter(w->send, w->n, t, w->recv, w->n, t, w->root, comm);
    if (is(w, "gather")) return by->Gather(w->send, w->n, t, w->recv, w->n, t, w->root, comm);
    if (is(w, "barrier")) return by->Barrier(comm);
    if (is(w, "scan")) return by->Scan(w->send, w->recv, w->n, t, MPI_SUM, comm);
    if (is(w, "exscan")) return by->Exscan(w->send, w->recv, w->n, t, MPI_SUM, comm);
    if (is(w, "allgather")) return by->Allgather(w->send, w->n, t, w->recv, w->n, t, comm);
    if (of_lengths(w))
        return by->Alltoallv(w->send, w->counts, w->counts + w->ranks, t, w->recv,
                             w->counts + 2 * w->ranks, w->counts + 3 * w->ranks, t, comm);
    return by->Alltoall(w->send, w->n, t, w->recv, w->n, t, comm);
}

void work_call(struct work *w, MPI_Comm comm) { work_call_by(&work_as_called, w, comm); }

static int expected(const struct work *w, int i, int round) {
    if (is(w, "bcast")) return sent(w->root, i, round);
    if (is(w, "scatter")) return sent(w->root, w->rank * w->n + i, round);
    if (is(w, "gather") || is(w, "allgather")) return sent(i / w->n, i % w->n, round);
    if (is(w, "alltoall")) return sent(i / w->n, w->rank * w->n + i % w->n, round);
    int at = is(w, "reduce_scatter") ? w->rank * w->n + i : i, sum = 0;
    const int of = is(w, "scan") ? w->rank + 1 : is(w, "exscan") ? w->rank : w->ranks;
    for (int r = 0; r < of; ++r) sum += sent(r, at, round);
    return sum;
}

int work_right(const struct work *w, int round) {
    if ((is(w, "reduce") || is(w, "gather")) && w->rank != w->root) return 1;
    if (is(w, "barrier") || (is(w, "exscan") && w->rank == 0)) return 1;
    if (of_lengths(w)) return blocks_right(w, round);
    int out = (int)(w->recv_bytes / w->width);
    for (int i = 0; i < out; ++i)
        if (get(w, w->recv, i) != expected(w, i, round)) return 0;
    return 1;
}
