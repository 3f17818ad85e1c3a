/// Whether buffers of a call are in device memory, and whether the device can serve the call
/// itself.
#pragma once
#include <optional>

#include "device/runtime.hpp"
#include "mpi/device/device_memory.hpp"
#include "mpi/execute/call.hpp"
#include "mpi/state/communicator.hpp"
#include "select/place_choice.hpp"

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

/// Where a call is served.
struct PlaceOfCall {
    DeviceMemory* direct = nullptr;  ///< the memory that has all of its buffers; null: staged
    /// The calls that it is compared with; none: it cannot be served in either place.
    std::optional<select::PlaceChoice::Key> key = {};
};
/// Where this rank serves a validated call. A rank decides for itself: a message is the same bytes
/// from either memory. `bytes`: of the vector or block.
PlaceOfCall place_of(const Call& c, const Communicator& state, std::int64_t bytes);
/// The memory of place_of(); null: staged.
DeviceMemory* direct_memory(const Call& c, const Communicator& state, std::int64_t bytes);
/// Enters the seconds of a call that hopbine has served.
void served_at(const PlaceOfCall& place, double seconds);
/// The memory that place_of() has found last in this process; null: nothing yet.
DeviceMemory* last_direct_memory();

}  // namespace hopbine::mpi
