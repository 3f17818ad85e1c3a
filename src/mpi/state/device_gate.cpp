#include "mpi/state/device_gate.hpp"

#include "device/runtime.hpp"
#include "mpi/execute/device_buffers.hpp"
#include "mpi/state/communicator.hpp"

namespace hopbine::mpi {

DeviceUse device_use(const Call& c, const Communicator& state) {
    device::Runtime& runtime = device::Runtime::get();
    if (!runtime.loaded()) return DeviceUse::none;
    if (runtime.opaque()) return DeviceUse::used;
    for (const UserBuffer& b : user_buffers(c, state.rank, state.size))
        if (const void* first = b.first(); first && runtime.on_device(first))
            return DeviceUse::used;
    return DeviceUse::loaded;
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
