/* PMI-1, the protocol of Hydra (MPICH's mpiexec) and of Slurm's pmi2 plugin.
 *
 * Lines of text over a descriptor that the process inherits: a request and its answer, with Hydra
 * also several requests and then their answers. */
#ifndef HOPBINE_PMI_H
#define HOPBINE_PMI_H

/* Puts this rank's key, at the latest before the MPI library's next barrier. */
void pmi_publish(void);
int pmi_published(void);
int pmi_rank(void);
/* Asks Hydra for keys. pmi_are_present() reads the answers, before the MPI library asks again. */
void pmi_ask(void);
/* Whether `rank` has put its key, or all ranks have. These three are called after the MPI library
 * has exchanged its own keys. */
int pmi_is_present(int rank);
int pmi_are_present(int size);

#endif
