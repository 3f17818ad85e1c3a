/// One intercepted call, whatever the width of its counts.
#pragma once
#include <mpi.h>

#include <climits>
#include <cstdint>

#include "core/problem.hpp"

namespace hopbine::mpi {

/// The stub forwards the call to the MPI library.
inline constexpr int kPass = INT_MIN;

struct Call {
    Collective collective;
    const void* send = nullptr;
    std::int64_t send_count = 0;
    MPI_Datatype send_type = MPI_DATATYPE_NULL;
    void* recv = nullptr;
    std::int64_t recv_count = 0;
    MPI_Datatype recv_type = MPI_DATATYPE_NULL;
    const int* counts = nullptr;             ///< reduce_scatter
    const MPI_Count* counts_c = nullptr;     ///< reduce_scatter_c
    MPI_Op op = MPI_OP_NULL;
    int root = 0;
    MPI_Comm comm = MPI_COMM_NULL;
};

/// Serves the call, or answers kPass. Other answers are MPI error codes, already raised on the user's communicator.
int serve(const Call& call);

}  // namespace hopbine::mpi
