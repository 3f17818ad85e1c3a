#include "narrow.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "functions.h"
#include "words.h"

static int fits(int64_t number) { return number <= INT_MAX && number >= INT_MIN; }
/* Constants of Open MPI, the only library without _c functions. */
enum { IN_PLACE = 1, ROOT = -4, CART = 1, GRAPH = 2, DIST_GRAPH = 3 };

/* Length of an array of counts. On an intercommunicator an alltoallv or allgatherv has a count for
 * every rank of the remote group, a reduce_scatter for every rank of the local group. */
static int length_of(intptr_t comm, int other_side) {
    int length = 0, between = 0, (*ask)(intptr_t, int *);
    *(void **)&ask = real("PMPI_Comm_test_inter");
    ask(comm, &between);
    *(void **)&ask = real(between && other_side ? "PMPI_Comm_remote_size" : "PMPI_Comm_size");
    ask(comm, &length);
    return length > 0 ? length : 0;
}

/* Numbers of sources and destinations in the communicator's topology. */
static void count_neighbors(intptr_t comm, int *ins, int *outs) {
    int kind = 0, rank = 0, weighted = 0, (*ask)(intptr_t, int *);
    *ins = *outs = 0;
    *(void **)&ask = real("PMPI_Topo_test");
    ask(comm, &kind);
    if (kind == CART) {
        *(void **)&ask = real("PMPI_Cartdim_get");
        ask(comm, ins);
        *outs = *ins *= 2;
    } else if (kind == GRAPH) {
        int (*count)(intptr_t, int, int *);
        *(void **)&ask = real("PMPI_Comm_rank");
        ask(comm, &rank);
        *(void **)&count = real("PMPI_Graph_neighbors_count");
        count(comm, rank, ins);
        *outs = *ins;
    } else if (kind == DIST_GRAPH) {
        int (*count)(intptr_t, int *, int *, int *);
        *(void **)&count = real("PMPI_Dist_graph_neighbors_count");
        count(comm, ins, outs, &weighted);
    }
}

/* Whether this rank is the root. */
static int is_root(intptr_t comm, int root) {
    int rank = 0, between = 0, (*ask)(intptr_t, int *);
    *(void **)&ask = real("PMPI_Comm_test_inter");
    ask(comm, &between);
    if (between) return root == ROOT;
    *(void **)&ask = real("PMPI_Comm_rank");
    ask(comm, &rank);
    return rank == root;
}

/* Converts an array of 64-bit numbers to ints; null when one does not fit. The caller frees it. */
static int *narrowed(const int64_t *numbers, int length) {
    int *out = malloc(sizeof(int) * (size_t)(length + 1));
    for (int i = 0; out && i < length; ++i) {
        if (!fits(numbers[i])) {
            free(out);
            return NULL;
        }
        out[i] = (int)numbers[i];
    }
    return out;
}

struct kept {
    struct kept *next;
    int length, *numbers;
};

/* Returns the kept array with these numbers: this one, or an equal one instead, which frees it. */
static int *keep_array(int *numbers, int length) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct kept *all;
    pthread_mutex_lock(&lock);
    struct kept *one = all;
    while (one && (one->length != length ||
                   memcmp(one->numbers, numbers, sizeof(int) * (size_t)length) != 0))
        one = one->next;
    if (one) {
        free(numbers);
        numbers = one->numbers;
    } else if ((one = malloc(sizeof *one))) {
        *one = (struct kept){all, length, numbers};
        all = one;
    }
    pthread_mutex_unlock(&lock);
    return numbers;
}

/* Whether a call's arrays are significant on this rank. */
static int significant(int n, int arrays_of, const intptr_t *words) {
    return arrays_of != AT_ROOT || is_root(words[n - 1], (int)words[n - 2]);
}

/* Lengths of a call's arrays: of the receive and of the send buffer. */
static void find_lengths(int n, int arrays_of, intptr_t comm, int *received, int *sent) {
    const int reduce_scatter = n == 6;
    if (arrays_of == NEIGHBORS)
        count_neighbors(comm, received, sent);
    else
        *received = *sent = length_of(comm, !reduce_scatter);
}

/* Converts n words for the plain function. 1, or 0 when a number does not fit. The caller frees
 * `made` in either case. `keep`: the arrays stay. */
static int narrow(int n, int counts, int arrays, int arrays_of, int keep, intptr_t *words,
                  int *made[]) {
    const int alltoallv = n == 9 && arrays_of == ALL_RANKS;
    int length = 0, length_of_sent = 0; /* the send buffer's arrays come first */
    if (arrays) find_lengths(n, arrays_of, words[n - 1], &length, &length_of_sent);
    if (!significant(n, arrays_of, words)) arrays = 0;
    for (int i = 0; i < n; ++i) {
        if (counts >> i & 1 && !fits(words[i])) return 0;
        const int of_send_buffer =
            alltoallv && i < 4; /* in place these are not significant and may be no arrays */
        if (!(arrays >> i & 1) || !words[i] || (of_send_buffer && words[0] == IN_PLACE)) continue;
        const int all = i < 3 ? length_of_sent : length;
        made[i] = narrowed((const int64_t *)words[i], all);
        if (!made[i]) return 0;
        words[i] = (intptr_t)made[i];
        if (!keep) continue;
        words[i] = (intptr_t)keep_array(made[i], all);
        made[i] = NULL;
    }
    return 1;
}

/* Calls a function with `taken` words. */
static int call(any_function plain, int taken, const intptr_t *words) {
#define CASE(n) \
    case n: return ((int (*)(WORDS_##n))plain)(TAKEN_##n);
    switch (taken) { CASE(5) CASE(6) CASE(7) CASE(8) CASE(9) CASE(10) CASE(11) }
    return MPI_ERR_OTHER; /* no row has so many */
}

int narrow_call(const char *symbol, any_function missing, int n, int taken, int counts, int arrays,
                int arrays_of, intptr_t *words) {
    int *made[MOST_WORDS] = {0}, answer = MPI_ERR_COUNT;
    const any_function plain = found_or(symbol, missing, NULL);
    if (narrow(n, counts, arrays, arrays_of, taken > n, words, made))
        answer = call(plain, taken, words);
    for (int k = 0; k < n; ++k) free(made[k]);
    return answer;
}
