/// Returns from a function with the MPI error code of `call`, unless it is MPI_SUCCESS.
#pragma once
#include <mpi.h>

#define HOPBINE_TRY(call) \
    if (const int error = (call); error != MPI_SUCCESS) return error
