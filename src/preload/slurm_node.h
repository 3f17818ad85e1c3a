/* The node that Slurm tells a process which Slurm itself has started. */
#ifndef HOPBINE_SLURM_NODE_H
#define HOPBINE_SLURM_NODE_H

#include <stddef.h>

/* Variables that only other launchers set: Hydra of MPICH and its kin, Open MPI's, PALS, Flux and
 * jsrun. What they start inside a Slurm job may inherit the variables of the task that called them,
 * which can be on another node. */
static const char *const hopbine_other_launchers[] = {"MPI_LOCALNRANKS", "OMPI_COMM_WORLD_RANK",
                                                      "PALS_RANKID", "FLUX_TASK_RANK",
                                                      "JSM_NAMESPACE_RANK"};

/* Reads a variable: NULL or empty if it is not set. */
typedef const char *(*hopbine_variable)(const char *name, const void *from);

/* Whether a launcher other than srun has started this process. */
static inline int hopbine_is_of_other_launcher(hopbine_variable value, const void *from) {
    for (size_t i = 0; i < sizeof hopbine_other_launchers / sizeof *hopbine_other_launchers; ++i) {
        const char *set = value(hopbine_other_launchers[i], from);
        if (set && *set) return 1;
    }
    return 0;
}

/* SLURMD_NODENAME in a task of a Slurm step, else NULL. */
static inline const char *hopbine_slurm_node(hopbine_variable value, const void *from) {
    const char *node = value("SLURMD_NODENAME", from), *step = value("SLURM_STEP_ID", from);
    const int is_told = node && *node && step && *step;
    return is_told && !hopbine_is_of_other_launcher(value, from) ? node : NULL;
}

#endif
