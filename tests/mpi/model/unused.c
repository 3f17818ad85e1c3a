/* Functions of MPI that the runtime links but that no drawn program makes it call. Each ends the
 * run with its name. They need no prototypes, so that mpi.h is not included. */
void model_unused(const char *name);

#define UNUSED(name) \
    __attribute__((visibility("default"))) void name(void) { model_unused(#name); }

UNUSED(PMPI_Allgatherv)
UNUSED(PMPI_Alltoall)
UNUSED(PMPI_Alltoallv)
UNUSED(PMPI_Exscan)
UNUSED(PMPI_Gather)
UNUSED(PMPI_Gatherv)
UNUSED(PMPI_Info_get_valuelen)
UNUSED(PMPI_Op_free)
UNUSED(PMPI_Pack)
UNUSED(PMPI_Reduce)
UNUSED(PMPI_Reduce_scatter)
UNUSED(PMPI_Reduce_scatter_block)
UNUSED(PMPI_Scan)
UNUSED(PMPI_Scatter)
UNUSED(PMPI_Scatterv)
UNUSED(PMPI_Type_commit)
UNUSED(PMPI_Type_contiguous)
UNUSED(PMPI_Type_create_struct)
UNUSED(PMPI_Type_free)
UNUSED(PMPI_Type_get_envelope)
UNUSED(PMPI_Type_get_extent_x)
UNUSED(PMPI_Type_get_true_extent_x)
UNUSED(PMPI_Type_size_x)
UNUSED(PMPI_Unpack)
