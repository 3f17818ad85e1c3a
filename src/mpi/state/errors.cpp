#include "mpi/state/errors.hpp"

#include <utility>

namespace hopbine::mpi {

namespace {
thread_local MPI_Comm raised_on = MPI_COMM_NULL;
}

int raise_later(MPI_Comm comm, int error) {
    if (error != MPI_SUCCESS) raised_on = comm;
    return error;
}

}  // namespace hopbine::mpi

/// Calls the error handler for the last error that was noted, if any. No call of hopbine's may be
/// in progress.
extern "C" __attribute__((visibility("default"))) void hopbine_raise(int error) {
    const MPI_Comm comm = std::exchange(hopbine::mpi::raised_on, MPI_COMM_NULL);
    if (comm != MPI_COMM_NULL) PMPI_Comm_call_errhandler(comm, error);
}
