/* What messages cost the processors of one node's ranks, for the packet engine of simulations. */
#ifndef HOPBINE_BENCH_CALIBRATE_MESSAGES_H
#define HOPBINE_BENCH_CALIBRATE_MESSAGES_H

/* Called by all ranks, two at least. Rank 0 prints rows of these kinds:
 * - eager: the longest message whose MPI_Send returns before its receiver asks for it; 0: none,
 *   MOST_EAGER: all that were tried
 * - send: rank 0 starts `messages` messages to a rank that waits for them; seconds of each
 * - late: rank 1 receives `messages` messages that have all come before; seconds of each
 * - pack: rank 0 copies `messages` runs of `bytes` in all from scattered places into one buffer */
void time_messages(int repetitions);

enum { MOST_EAGER = 4 << 20 };

#endif
