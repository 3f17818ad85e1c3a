/// Requests that the program has for hopbine's calls: receives of nothing from this process itself.
///
/// They are requests of the MPI library, which the program's waits and tests complete by themselves
/// once hopbine sends to them. Generalized requests are not used: MPICH 5 aborts in an MPI_Waitall
/// of one and MPI_REQUEST_NULL.
#pragma once
#include <mpi.h>

namespace hopbine::mpi {

/// Every stand-in that exists at a time has a number of its own: those of persistent calls are
/// first tags of spaces, multiples of kCallTags.each; those of nonblocking calls are not.
class StandIn {
public:
    /// A persistent one.
    explicit StandIn(int number);
    MPI_Request handle() const { return handle_; }
    int number() const { return number_; }
    /// Returns an MPI error code.
    int start() { return PMPI_Start(&handle_); }

    /// One of a nonblocking call. It is started.
    static MPI_Request begin(int number);
    /// One of a nonblocking call that has ended.
    static MPI_Request ended();
    /// Completes the one of this number, which was started. `failed`: with an error. It may be
    /// started again or be gone from then on.
    static void complete(int number, bool failed);

private:
    int number_;
    MPI_Request handle_ = MPI_REQUEST_NULL;
};

}  // namespace hopbine::mpi
