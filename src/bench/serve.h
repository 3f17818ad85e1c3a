/* hopbine-bench as a server: rank 0 reads requests, one a line, on standard input and answers on
 * standard output.
 *
 * It begins with
 *   # library TEXT           of MPI_Get_library_version
 *   # place RANK NODE GROUP  of every rank as the runtime is told them ("-": no group)
 *   # ready
 *
 *   time COLLECTIVE SIZE REPETITIONS ALGORITHM,ALGORITHM,...
 *     # bytes N              what is timed: SIZE in whole elements, at least one for each block;
 * the mean block of an alltoallv (SIZE: distribution.h) # trying ALGORITHM     before its first
 * call; so a crash there has a name # served ALGORITHM BY  or: # refused ALGORITHM WHY, and the
 * others go on rows of CSV            (timing_columns); every sample is of as many calls as the
 * first algorithm's # done end probe # probe ALPHA BETA GAMMA OVERHEAD   (probe.h) # done
 *
 * What it cannot read it answers with `# error WHY`. It ends at the end of its input. */
#ifndef HOPBINE_BENCH_SERVE_H
#define HOPBINE_BENCH_SERVE_H
#include "collectives.h"

/* Called by all ranks; returns when the input has ended. */
void serve(int root, enum element element);

#endif
