/// MPI error codes of served calls, passed on to the user's error handler.
#pragma once
#include <mpi.h>

namespace hopbine::mpi {

/// Notes an error for the error handler of `comm`, which is called when hopbine has returned: a
/// handler may throw, jump away or call MPI. Returns `error`.
int raise_later(MPI_Comm comm, int error);

}  // namespace hopbine::mpi
