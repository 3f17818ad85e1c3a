#include "mpi/state/device_gate.hpp"

#include <algorithm>

#include "device/runtime.hpp"
#include "mpi/execute/device_buffers.hpp"
#include "mpi/state/communicator.hpp"

namespace hopbine::mpi {

bool on_device(const Call& c, const Communicator& state) {
    device::Runtime& runtime = device::Runtime::get();
    if (!runtime.loaded() || runtime.opaque()) return false;
    return std::ranges::any_of(user_buffers(c, state.rank, state.size), [&](const UserBuffer& b) {
        const void* const first = b.first();
        return first && runtime.on_device(first);
    });
}

DeviceUse device_use(const Call& c, const Communicator& state) {
    device::Runtime& runtime = device::Runtime::get();
    if (!runtime.loaded()) return DeviceUse::none;
    if (runtime.opaque()) return DeviceUse::used;
    return !settings().staged && on_device(c, state) ? DeviceUse::used : DeviceUse::loaded;
}

DeviceUse most_device_use(DeviceUse mine, const Communicator& state) {
    const int own = static_cast<int>(mine);
    int most = own;
    PMPI_Allreduce(&own, &most, 1, MPI_INT, MPI_MAX, state.user());
    return static_cast<DeviceUse>(most);
}

void DeviceGate::agree(const Communicator& state) {
    agreement_.update(most_device_use(agreement_.seen(), state));
}

}  // namespace hopbine::mpi
