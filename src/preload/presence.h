/* Whether all ranks of this job run under hopbine, from the launcher's key-value store.
 *
 * - No MPI message is sent.
 * - Each rank puts a key before MPI_Init, which exchanges it with its own addresses.
 * - After MPI_Init a rank looks for the key of every other. A rank that runs without hopbine, or
 *   whose MPI_Init was not intercepted, has none. */
#ifndef HOPBINE_PRESENCE_H
#define HOPBINE_PRESENCE_H

/* What is found, for the runtime too. */
enum presence { PRESENCE_UNKNOWN = -1, PRESENCE_SOME = 0, PRESENCE_ALL = 1 };

/* Called before MPI_Init. */
void presence_publish(void);
/* Called when MPI_Session_init comes before MPI_Init: this process does not count as running under
 * hopbine. */
void presence_decline(void);
/* Called after MPI_Init: asks for what presence_find() looks at, so that the launcher answers while
 * the runtime is loaded. Where there is no runtime, presence_drop() takes the answers, which the
 * MPI library would read for its own. */
void presence_ask(void);
void presence_drop(void);
/* Called after MPI_Init, in a job of `size` ranks. Where only some run under hopbine, the first of
 * them reports it. */
enum presence presence_find(int size);
/* Prints one line on standard error on rank 0 of the job; on every rank where the launcher sets no
 * rank. */
void presence_say(const char *what);

#endif
