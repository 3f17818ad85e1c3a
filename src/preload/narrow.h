/* Calls of _c functions by plain ones.
 *
 * Open MPI before 6 has no _c functions, but programs (mpi4py's wheel) bring fallbacks of their own
 * under these names, which the stubs hide. What hopbine does not serve then goes to the plain
 * function, when its numbers can hold it. */
#ifndef HOPBINE_NARROW_H
#define HOPBINE_NARROW_H
#include <stdint.h>

/* Makes n arguments fit for the plain function, by a row of HOPBINE_FUNCTIONS: 1, or 0 when a
 * number does not fit. `made` are to be freed in either case. */
int narrow(int n, int counts, int arrays, int rooted, intptr_t *words, int *made[]);

#endif
