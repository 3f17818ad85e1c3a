/// MPI error codes of served calls, passed on to the user's error handler.
#pragma once
#include <mpi.h>

#include <exception>

#include "schedule/problem.hpp"

namespace hopbine::mpi {

/// Notes an error for the error handler of `comm`, which is called when hopbine has returned: a
/// handler may throw, jump away or call MPI. Returns `error`.
int raise_later(MPI_Comm comm, int error);

/// The MPI error class of an exception in a call; says what it is. `form`: of the call, "" or
/// "nonblocking ".
int error_class(const std::exception& e, Collective c, const char* form);

}  // namespace hopbine::mpi
