#include "mpi/execute/private_comm.hpp"

namespace hopbine::mpi {

namespace {
MPI_Comm self = MPI_COMM_NULL;
OwnMessages own{MPI_COMM_NULL, 0};
}  // namespace

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

OwnMessages own_messages() { return own.comm == MPI_COMM_NULL ? OwnMessages{self, 0} : own; }

void make_own_messages() {
    own.comm = private_copy(MPI_COMM_WORLD);
    PMPI_Comm_rank(own.comm, &own.rank);
}

void free_own_messages() {
    if (own.comm != MPI_COMM_NULL) PMPI_Comm_free(&own.comm);
}

}  // namespace hopbine::mpi
