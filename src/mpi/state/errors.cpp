#include "mpi/state/errors.hpp"

#include <new>
#include <string>
#include <utility>

#include "runtime/log.hpp"

namespace hopbine::mpi {

namespace {
thread_local MPI_Comm raised_on = MPI_COMM_NULL;
}

int raise_later(MPI_Comm comm, int error) {
    if (error != MPI_SUCCESS) raised_on = comm;
    return error;
}

int error_class(const std::exception& e, Collective c, const char* form) {
    if (dynamic_cast<const std::bad_alloc*>(&e)) return MPI_ERR_NO_MEM;
    say_rank(std::string("internal error in ") + form + name(c) + ": " + e.what());
    return MPI_ERR_INTERN;
}

}  // namespace hopbine::mpi

/// Calls the error handler for the last error that was noted, if any. No call of hopbine's may be
/// in progress.
extern "C" __attribute__((visibility("default"))) void hopbine_raise(int error) {
    const MPI_Comm comm = std::exchange(hopbine::mpi::raised_on, MPI_COMM_NULL);
    if (comm != MPI_COMM_NULL) PMPI_Comm_call_errhandler(comm, error);
}
