/// Whether buffers of a call are in device memory, and whether the device can serve the call
/// itself.
#pragma once
#include "device/runtime.hpp"
#include "mpi/device/device_memory.hpp"
#include "mpi/execute/call.hpp"
#include "mpi/state/communicator.hpp"

namespace hopbine::mpi {

/// Whether this rank has a buffer in memory that only a device can read. False for Level Zero's,
/// which cannot be told.
bool on_device(const Call& c, const Communicator& state);
/// device_use() in a process with a GPU library.
DeviceUse use_of_loaded_device(const Call& c, const Communicator& state);
/// The device use of this rank's buffers in a call, for agreements. Where calls are staged, none is
/// for a buffer on a device: it has been replaced, or will be where the call is served.
inline DeviceUse device_use(const Call& c, const Communicator& state) {
    return device::Runtime::get().loaded() ? use_of_loaded_device(c, state) : DeviceUse::none;
}

/// The memory that has all of this rank's buffers of a validated call, if the call can be run
/// there, and is to be; else null. A rank decides for itself: a message is the same bytes from
/// either memory. `bytes`: of the vector or block.
DeviceMemory* direct_memory(const Call& c, const Communicator& state, std::int64_t bytes);
/// What it has returned last in this process; null: nothing yet.
DeviceMemory* last_direct_memory();

}  // namespace hopbine::mpi
