#include "mpi/device_gate.hpp"

#include "mpi/communicator.hpp"
#include "mpi/device_buffers.hpp"

namespace hopbine::mpi {

DeviceUse device_use(const Call& c, const Communicator& state) {
    DeviceRuntime& runtime = DeviceRuntime::get();
    if (!runtime.loaded()) return DeviceUse::none;
    if (runtime.opaque()) return DeviceUse::used;
    for (const UserBuffer& b : user_buffers(c, state.rank, state.size))
        if (const void* first = b.first(); first && runtime.on_device(first))
            return DeviceUse::used;
    return DeviceUse::loaded;
}

DeviceUse most_device_use(DeviceUse mine, const Communicator& state) {
    // Each rank hears of twice as many after each message. By messages, as several communicators
    // may share the private one.
    constexpr int kTag = 0;
    int most = static_cast<int>(mine);
    for (int distance = 1; distance < state.size; distance *= 2) {
        const int to = (state.rank + distance) % state.size,
                  from = (state.rank - distance + state.size) % state.size;
        const int said = most;
        int heard = 0;
        if (PMPI_Sendrecv(&said, 1, MPI_INT, to, kTag, &heard, 1, MPI_INT, from, kTag,
                          state.private_comm(), MPI_STATUS_IGNORE) != MPI_SUCCESS)
            throw Error("ranks cannot agree on device memory");
        most = std::max(most, heard);
    }
    return static_cast<DeviceUse>(most);
}

void DeviceGate::agree(const Communicator& state) {
    agreement_.update(most_device_use(agreement_.seen(), state));
}

}  // namespace hopbine::mpi
