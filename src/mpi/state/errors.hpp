/// MPI error codes of calls that hopbine served, on their way to the user's error handler.
#pragma once
#include <mpi.h>

namespace hopbine::mpi {

/// Notes that the error handler of `comm` is to be called when hopbine has been left: a handler may
/// throw, jump away or call MPI. Returns `error`.
int raise_later(MPI_Comm comm, int error);

}  // namespace hopbine::mpi
