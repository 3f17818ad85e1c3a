/* PMI-1, the protocol of Hydra (MPICH's mpiexec) and of Slurm's pmi2 plugin: lines of text over a
 * descriptor that the process inherits, a request and its answer at a time. */
#ifndef HOPBINE_PMI_H
#define HOPBINE_PMI_H

/* This rank's key is to be put before the MPI library's next barrier. */
void pmi_publish(void);
int pmi_published(void);
int pmi_rank(void);
/* Has rank put its key? Once the MPI library has exchanged its own. */
int pmi_is_present(int rank);

#endif
