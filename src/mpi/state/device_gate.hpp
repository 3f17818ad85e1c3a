/// Decides whether device memory makes the MPI library serve the calls of a communicator.
#pragma once
#include <mpi.h>

#include "device/runtime.hpp"
#include "runtime/device_agreement.hpp"

namespace hopbine::mpi {

/// Counts the calls on a communicator, whatever serves them, but for those that the MPI library
/// refuses on this rank: all ranks count the same.
class DeviceGate {
public:
    /// Starts with the first call: this rank's device use, and the maximum over all ranks.
    void start(DeviceUse mine, DeviceUse most) {
        here_ = mine == DeviceUse::used;
        agreed_ = agreement_.count(mine);
        agreement_.update(most);
    }
    /// Starts before the first call that hopbine serves, with the maximum over all ranks.
    void start_early(DeviceUse most) { agreement_.update(most); }
    /// The call of start() was refused on this rank. The next one is then not counted: it is the
    /// one that the other ranks have counted.
    void started_by_refused() { counted_ahead_ = true; }
    /// Whether the last agreement was to pass calls on to the MPI library.
    bool passing() const { return agreement_.passes(); }
    /// Counts a call on a communicator, with this rank's device use. True: the MPI library serves
    /// it, on all ranks. Collective at some calls.
    bool passes(DeviceUse use, MPI_Comm comm) {
        here_ = use == DeviceUse::used;
        agreed_ = !counted_ahead_ && agreement_.count(use);
        counted_ahead_ = false;
        if (agreed_) agree(comm);
        return agreement_.passes();
    }
    /// Whether the ranks have agreed in the call that start() or passes() has counted last.
    bool agreed() const { return agreed_; }
    /// Whether this rank's buffers in the call just counted are on a device: a DeviceMirror serves
    /// it.
    bool here() const { return here_; }

private:
    [[gnu::cold]] void agree(MPI_Comm comm) {
        const int mine = static_cast<int>(agreement_.seen());
        int most = mine;
        PMPI_Allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, comm);
        agreement_.update(static_cast<DeviceUse>(most));
    }

    DeviceAgreement agreement_;
    bool here_ = false, agreed_ = false, counted_ahead_ = false;
};

}  // namespace hopbine::mpi
