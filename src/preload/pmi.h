/* PMI-1, the protocol of Hydra (MPICH's mpiexec): lines of text over a descriptor that the process inherits. */
#ifndef HOPBINE_PMI_H
#define HOPBINE_PMI_H

/* Puts this rank's key, before the MPI library opens its own session on the descriptor. */
void pmi_publish(void);
int pmi_published(void);
int pmi_rank(void);
/* Has rank put its key? Once the MPI library has exchanged its own. */
int pmi_is_present(int rank);

#endif
