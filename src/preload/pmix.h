/* PMIx, the protocol of Open MPI's launchers and of Slurm's pmix plugin. */
#ifndef HOPBINE_PMIX_H
#define HOPBINE_PMIX_H

int pmix_is_launcher(void);
int pmix_published(void);
int pmix_rank(void);
/* Has rank put its key? Once the MPI library has exchanged its own. */
int pmix_is_present(int rank);
/* From now on a client that starts puts no key: this process does not count as running under
 * hopbine. */
void pmix_decline(void);

#endif
