/// The program's handle of a persistent collective: a receive of nothing from this process itself.
///
/// It is a persistent request of the MPI library, which the program's waits and tests complete by
/// themselves once hopbine sends to it.
#pragma once
#include <mpi.h>

namespace hopbine::mpi {

class StandIn {
public:
    /// `number`: differs between all that exist.
    explicit StandIn(int number);
    MPI_Request handle() const { return handle_; }
    int number() const { return number_; }
    /// Returns an MPI error code.
    int start() { return PMPI_Start(&handle_); }
    /// Completes the one of this number, which was started. `failed`: with an error. It may be
    /// started or freed from then on.
    static void complete(int number, bool failed);

private:
    int number_;
    MPI_Request handle_ = MPI_REQUEST_NULL;
};

}  // namespace hopbine::mpi
