/* Do all ranks of this job run under hopbine? Asked of the launcher's key-value store, without a
 * message of MPI's.
 *
 * Each rank puts a key there before MPI_Init, whose own exchange of addresses makes it known to
 * all. After MPI_Init a rank looks for the key of every other. A rank that runs without hopbine, or
 * whose MPI_Init was not seen, has none. */
#ifndef HOPBINE_PRESENCE_H
#define HOPBINE_PRESENCE_H
#include "../mpi/state/presence.h"

/* Before MPI_Init. */
void presence_publish(void);
/* Before MPI_Session_init, where that comes first: this process is not to count as running under
 * hopbine. */
void presence_decline(void);
/* After MPI_Init, in a job of `size` ranks. Where only some are there, the first of them says
 * so. */
enum presence presence_find(int size);
/* One line on standard error from one rank of the job, where the launcher tells the rank. */
void presence_say(const char *what);

#endif
