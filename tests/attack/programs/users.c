/* User-defined operations on unsigned numbers. These wrap around: the result is the same in every
 * order that the operation allows. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"

enum { MOST_LAYOUTS = 64 };
static const Layout *known[MOST_LAYOUTS];
static long known_since[MOST_LAYOUTS], layouts_told;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static MPI_Op made[USER_OPERATIONS];

void know_layout(const Layout *l) {
    pthread_mutex_lock(&lock);
    int i = 0;
    while (i < MOST_LAYOUTS - 1 && known[i]) ++i;
    known[i] = l;
    known_since[i] = ++layouts_told;
    pthread_mutex_unlock(&lock);
}

void forget_layout(const Layout *l) {
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MOST_LAYOUTS; ++i)
        if (known[i] == l) known[i] = NULL;
    pthread_mutex_unlock(&lock);
}

static const Layout *layout_of(MPI_Datatype type) {
    const Layout *found = NULL;
    long since = 0;
    pthread_mutex_lock(&lock);
    /* The newest: the handle of a freed datatype may have come to mean another one. */
    for (int i = 0; i < MOST_LAYOUTS; ++i)
        if (known[i] && known[i]->type == type && known_since[i] > since)
            found = known[i], since = known_since[i];
    pthread_mutex_unlock(&lock);
    if (found) return found;
    fprintf(stderr, "attack: an operation was called with a datatype that no call uses\n");
    abort();
}

/* right = left o right. */
void apply_user(int which, const uint32_t *left, uint32_t *right, int length) {
    const uint32_t a = right[0], b = length > 1 ? right[1] : 0, c = length > 2 ? right[2] : 0,
                   d = length > 3 ? right[3] : 0;
    if (which == MULTIPLY_MATRICES) {
        right[0] = left[0] * a + left[1] * c, right[1] = left[0] * b + left[1] * d;
        right[2] = left[2] * a + left[3] * c, right[3] = left[2] * b + left[3] * d;
    } else if (which == FIRST)
        memcpy(right, left, sizeof *left * (size_t)length);
    else if (which != LAST)
        for (int i = 0; i < length; ++i) right[i] += left[i];
}

static void apply(int which, char *in, char *inout, int n, MPI_Datatype type) {
    const Layout *l = layout_of(type);
    const int length = l->unit->length;
    uint32_t left[8], right[8];
    for (int e = 0; e < n; ++e, in += l->extent, inout += l->extent)
        for (int u = 0; u < l->m; ++u) {
            const long *at = l->offset + (long)u * length;
            for (int i = 0; i < length; ++i)
                memcpy(&left[i], in + at[i], 4), memcpy(&right[i], inout + at[i], 4);
            apply_user(which, left, right, length);
            for (int i = 0; i < length; ++i) memcpy(inout + at[i], &right[i], 4);
        }
}

#define FUNCTION(which)                                                               \
    static void function_##which(void *in, void *inout, int *n, MPI_Datatype *type) { \
        apply(which, in, inout, *n, *type);                                           \
    }
FUNCTION(ADD_UNITS)
FUNCTION(MULTIPLY_MATRICES)
FUNCTION(FIRST)
FUNCTION(LAST)
FUNCTION(ADD_AS_IF_ORDERED)

MPI_Op new_user_operation(int which) {
    static MPI_User_function *const functions[] = {function_ADD_UNITS, function_MULTIPLY_MATRICES,
                                                   function_FIRST, function_LAST,
                                                   function_ADD_AS_IF_ORDERED};
    MPI_Op out;
    MPI_Op_create(functions[which], which == ADD_UNITS, &out);
    return out;
}

void make_user_operations(void) {
    for (int i = 0; i < USER_OPERATIONS; ++i) made[i] = new_user_operation(i);
}

void free_user_operations(void) {
    for (int i = 0; i < USER_OPERATIONS; ++i) MPI_Op_free(&made[i]);
}

MPI_Op user_operation(int which) { return made[which]; }

const char *user_operation_name(int which) {
    static const char *const names[] = {"user's sum", "user's product of matrices", "user's first",
                                        "user's last", "user's sum said not to commute"};
    return names[which];
}
