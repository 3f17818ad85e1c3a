/// Makes a call of the program by the MPI library, with other buffers.
#pragma once
#include "mpi/execute/call.hpp"

namespace hopbine::mpi {

/// The function of MPI that the call is of: the nonblocking one where there is a request. Returns
/// its error code.
int call_library(const Call& c, MPI_Request* request = nullptr);
/// Makes a blocking call of hopbine's own that was to be served, where `code` is that it was passed
/// on. Returns its error code; else `code`.
int complete(int code, const Call& c);

}  // namespace hopbine::mpi
