/* Calls of _c functions through the functions with int counts.
 *
 * Open MPI before 6 has no _c functions, but programs (mpi4py's wheel) bring fallbacks of their own
 * under these names, which the stubs hide. A call that hopbine does not serve goes to the plain
 * function instead, if its numbers fit. */
#ifndef HOPBINE_NARROW_H
#define HOPBINE_NARROW_H
#include <stdint.h>

/* Converts n arguments for the plain function, by a row of HOPBINE_FUNCTIONS. 1, or 0 when a number
 * does not fit. The caller frees `made` in either case.
 * `keep`: the arrays stay for ever, since the call reads them after it has returned. Equal ones are
 * kept once. */
int narrow(int n, int counts, int arrays, int arrays_of, int keep, intptr_t *words, int *made[]);

#endif
