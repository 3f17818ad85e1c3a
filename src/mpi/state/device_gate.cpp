#include "mpi/state/device_gate.hpp"

#include <algorithm>

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

void DeviceGate::agree(const Communicator& state) {
    const int mine = static_cast<int>(agreement_.seen());
    int most = mine;
    PMPI_Allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, state.user());
    agreement_.update(static_cast<DeviceUse>(most));
}

}  // namespace hopbine::mpi
