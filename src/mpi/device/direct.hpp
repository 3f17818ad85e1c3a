/// HOPBINE_GPU=direct: calls that a device works on itself, in its own memory.
#pragma once
#include "mpi/device/device_memory.hpp"
#include "mpi/execute/call.hpp"
#include "mpi/state/communicator.hpp"

namespace hopbine::mpi {

/// The memory that has all of this rank's buffers of a validated call, if the call can be run
/// there; else null. A rank decides for itself: a message is the same bytes from either memory.
DeviceMemory* direct_memory(const Call& c, const Communicator& state);
/// What it has returned last in this process; null: nothing yet.
DeviceMemory* last_direct_memory();

}  // namespace hopbine::mpi
