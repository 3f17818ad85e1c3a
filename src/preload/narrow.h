/* Calls of _c functions through the functions with int counts.
 *
 * Open MPI before 6 has no _c functions, but programs (mpi4py's wheel) bring fallbacks of their own
 * under these names, which the stubs hide. A call that hopbine does not serve goes to the plain
 * function instead, if its numbers fit. */
#ifndef HOPBINE_NARROW_H
#define HOPBINE_NARROW_H
#include <stdint.h>

#include "library.h"

/* Makes a call of a _c function through `symbol`, the function with int counts, or through
 * `missing` where the library has no such function. n, counts, arrays and arrays_of: a row of
 * HOPBINE_FUNCTIONS. `taken`: the number of words, with the request and the info of other forms,
 * which read their arrays after they have returned: those stay for ever, equal ones once. Returns
 * MPI_ERR_COUNT when a number does not fit. */
int narrow_call(const char *symbol, any_function missing, int n, int taken, int counts, int arrays,
                int arrays_of, intptr_t *words);

#endif
