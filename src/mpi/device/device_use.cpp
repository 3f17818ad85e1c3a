#include "mpi/device/device_use.hpp"

#include <algorithm>

#include "mpi/device/device_buffers.hpp"

namespace hopbine::mpi {

bool on_device(const Call& c, const Communicator& state) {
    device::Runtime& runtime = device::Runtime::get();
    if (!runtime.loaded() || runtime.opaque()) return false;
    return std::ranges::any_of(user_buffers(c, state.rank, state.size), [&](const UserBuffer& b) {
        const void* const first = b.first();
        return first && runtime.on_device(first);
    });
}

DeviceUse use_of_loaded_device(const Call& c, const Communicator& state) {
    if (device::Runtime::get().opaque()) return DeviceUse::used;
    return !settings().staged && on_device(c, state) ? DeviceUse::used : DeviceUse::loaded;
}

}  // namespace hopbine::mpi
