/* hopbine-bench as a server: rank 0 reads requests from standard input, one per line, and answers
 * on standard output.
 *
 * It begins with
 *   # library TEXT           of MPI_Get_library_version
 *   # place RANK NODE GROUP  of every rank, as the runtime has them ("-": no group)
 *   # ready
 *
 * Request:
 *   time COLLECTIVE SIZE REPETITIONS ALGORITHM,ALGORITHM,...
 * Answer:
 *   # bytes N                bytes timed: SIZE in whole elements, at least one for each block;
 *                            alltoallv: the mean block (SIZE: distribution.h)
 *   # trying ALGORITHM       before its first call: names the algorithm that crashes
 *   # served ALGORITHM BY    or: # refused ALGORITHM WHY; the others are timed all the same
 *   rows of CSV              (timing_columns); every sample has as many calls as the first
 *                            algorithm's
 *   # done
 *
 * Request:
 *   probe
 * Answer:
 *   # probe ALPHA BETA GAMMA OVERHEAD   (probe.h)
 *   # done
 *
 * A line that it cannot read is answered by `# error WHY`. It ends at the line `end` or at the end
 * of its input. */
#ifndef HOPBINE_BENCH_SERVE_H
#define HOPBINE_BENCH_SERVE_H
#include "collectives.h"

/* Called by all ranks; returns when the input has ended. */
void serve(int root, enum element element);

#endif
