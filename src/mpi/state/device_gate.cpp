#include "mpi/state/device_gate.hpp"

#include "mpi/state/communicator.hpp"

namespace hopbine::mpi {

void DeviceGate::agree(const Communicator& state) {
    const int mine = static_cast<int>(agreement_.seen());
    int most = mine;
    PMPI_Allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, state.user());
    agreement_.update(static_cast<DeviceUse>(most));
}

}  // namespace hopbine::mpi
