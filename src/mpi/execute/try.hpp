/// Leaves a function that returns MPI error codes at the first call that is not MPI_SUCCESS.
#pragma once
#include <mpi.h>

#define HOPBINE_TRY(call) \
    if (const int error = (call); error != MPI_SUCCESS) return error
