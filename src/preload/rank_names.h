/* Variables by which launchers tell a process its rank. The first that is set counts. */
#ifndef HOPBINE_RANK_NAMES_H
#define HOPBINE_RANK_NAMES_H

static const char *const hopbine_rank_names[] = {
    "OMPI_COMM_WORLD_RANK", "PMIX_RANK",          "PMI_RANK",    "PALS_RANKID",
    "FLUX_TASK_RANK",       "JSM_NAMESPACE_RANK", "SLURM_PROCID"};

#endif
