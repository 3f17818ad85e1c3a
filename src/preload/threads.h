/* The level of thread support: a thread of hopbine's own needs MPI_THREAD_MULTIPLE, for which the
 * program need not have asked. */
#ifndef HOPBINE_THREADS_H
#define HOPBINE_THREADS_H
#include <stdint.h>

typedef int threads_begin(intptr_t argc, intptr_t argv, int required, int *provided);
/* Whether MPI is to be initialised by threads_init(). */
int threads_wanted(void);
/* Initialises MPI with MPI_THREAD_MULTIPLE by `init`, for a program that has asked for `required`.
 * `provided` becomes what the program is to see; null: it has not asked. */
int threads_init(threads_begin *init, intptr_t argc, intptr_t argv, int required, int *provided);
/* The MPI_Init_thread to be called in place of `next`, which `symbol` names: that of the tool which
 * `next` is of, else the library's. Null: there is none. */
threads_begin *threads_initialiser(void *next, const char *symbol);
/* The level that the program sees; negative: what the MPI library says. */
int threads_level(void);

#endif
