/* PMI-1, the protocol of Hydra (MPICH's mpiexec) and of Slurm's pmi2 plugin.
 *
 * Lines of text over a descriptor that the process inherits, one request and its answer at a
 * time. */
#ifndef HOPBINE_PMI_H
#define HOPBINE_PMI_H

/* Puts this rank's key, at the latest before the MPI library's next barrier. */
void pmi_publish(void);
int pmi_published(void);
int pmi_rank(void);
/* Whether `rank` has put its key. Called after the MPI library has exchanged its own keys. */
int pmi_is_present(int rank);

#endif
