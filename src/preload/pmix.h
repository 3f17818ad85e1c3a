/* PMIx, the protocol of Open MPI's launchers and of Slurm's pmix plugin. */
#ifndef HOPBINE_PMIX_H
#define HOPBINE_PMIX_H

int pmix_is_launcher(void);
int pmix_published(void);
int pmix_rank(void);
/* Whether `rank` has put its key. Called after the MPI library has exchanged its own keys. */
int pmix_is_present(int rank);
/* Whether a job of `size` ranks is too large for each to look for all keys: it is on several hosts
 * under a launcher whose servers ask other hosts for one key after the other. */
int pmix_asks_too_many(int size);
/* Whether the launcher has started all ranks by one command, which is hopbine run. */
int pmix_is_one_command(void);
/* A client that starts from now on puts no key: this process does not count as running under
 * hopbine. */
void pmix_decline(void);

#endif
