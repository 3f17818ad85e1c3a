/// Whether the MPI library serves the calls of a communicator because of device memory.
#pragma once
#include "mpi/execute/call.hpp"
#include "mpi/state/device.hpp"
#include "mpi/state/device_agreement.hpp"

namespace hopbine::mpi {

class Communicator;

/// What this rank's buffers of a call are.
DeviceUse device_use(const Call& c, const Communicator& state);
/// The most of all ranks. Collective, inside the user's own collective call.
DeviceUse most_device_use(DeviceUse mine, const Communicator& state);

/// Each call on a communicator asks once, whatever becomes of it: all ranks count alike.
class DeviceGate {
public:
    /// The first call, with what this rank uses and the most of all ranks.
    void start(DeviceUse mine, DeviceUse most) {
        here_ = mine == DeviceUse::used;
        agreement_.count(mine);
        agreement_.update(most);
    }
    /// The last agreement was to pass calls on.
    bool passing() const { return agreement_.passes(); }
    /// Counts the call. True: the MPI library serves it, on all ranks. Collective at some calls.
    bool passes(const Call& c, const Communicator& state) {
        const DeviceUse use =
            DeviceRuntime::get().loaded() ? device_use(c, state) : DeviceUse::none;
        here_ = use == DeviceUse::used;
        if (agreement_.count(use)) agree(state);
        return agreement_.passes();
    }
    /// This rank's part in the call just counted is on a device: to be served with a DeviceMirror.
    bool here() const { return here_; }

private:
    [[gnu::cold]] void agree(const Communicator& state);

    DeviceAgreement agreement_;
    bool here_ = false;
};

}  // namespace hopbine::mpi
