/* Checks whether this MPI library validates arguments. The exit code is 0 when it does; many crash
 * here. Run without hopbine. */
#include <mpi.h>

int main(int argc, char **argv) {
    int value = 1, out = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int refused =
        MPI_Allreduce(&value, &out, -1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) != MPI_SUCCESS &&
        MPI_Bcast(&value, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD) != MPI_SUCCESS;
    MPI_Finalize();
    return !refused;
}
