/// Asks the MPI library by messages whether it takes a device's memory: what it says of itself may
/// be wrong.
#pragma once
#include <string>

#include "device/space.hpp"

namespace hopbine::mpi {

/// Sends device memory to this process itself: short and long messages. Empty: all arrived as they
/// were sent. Else what went wrong. If the MPI library crashes, a line on standard error says so
/// and the process ends as it would have.
std::string try_messages(device::Space& space, device::Stream stream);

}  // namespace hopbine::mpi
