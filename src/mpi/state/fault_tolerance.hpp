/// Fault tolerance of the MPI library: ULFM, User Level Failure Mitigation.
#pragma once

namespace hopbine::mpi {

/// Whether the job is to survive processes that fail: mpirun --with-ft ulfm of Open MPI 5. There a
/// collective of the library's ends with an error on all ranks. One of hopbine's would end on
/// those that the failed process sends to, while others wait for these.
bool survives_failures();

}  // namespace hopbine::mpi
