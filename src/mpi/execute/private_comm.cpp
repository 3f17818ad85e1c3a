#include "mpi/execute/private_comm.hpp"

namespace hopbine::mpi {

namespace {
MPI_Comm self = MPI_COMM_NULL;
}

MPI_Comm private_copy(MPI_Comm comm) {
    MPI_Group group;
    MPI_Comm made = MPI_COMM_NULL;
    PMPI_Comm_group(comm, &group);
    PMPI_Comm_create(comm, group, &made);  // unlike MPI_Comm_dup it copies no attributes
    PMPI_Group_free(&group);
    PMPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
    return made;
}

MPI_Comm self_comm() { return self; }
void make_self_comm() { self = private_copy(MPI_COMM_SELF); }
void free_self_comm() { PMPI_Comm_free(&self); }

}  // namespace hopbine::mpi
