/// Decides whether device memory makes the MPI library serve the calls of a communicator.
#pragma once
#include "device/runtime.hpp"
#include "runtime/device_agreement.hpp"

namespace hopbine::mpi {

class Communicator;

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
    /// Counts a call, with this rank's device use. True: the MPI library serves it, on all ranks.
    /// Collective at some calls.
    bool passes(DeviceUse use, const Communicator& state) {
        here_ = use == DeviceUse::used;
        agreed_ = !counted_ahead_ && agreement_.count(use);
        counted_ahead_ = false;
        if (agreed_) agree(state);
        return agreement_.passes();
    }
    /// Whether passes() would only count the next call: no agreement is due, and the last was not
    /// to pass calls on. False in a process with a GPU library, where buffers are looked at.
    bool only_counts() const {
        return !counted_ahead_ && !agreement_.due() && !agreement_.passes() &&
               !device::Runtime::get().loaded();
    }
    /// The short form of passes() where only_counts().
    void count() { agreement_.count(DeviceUse::none); }
    /// Whether the ranks have agreed in the call that start() or passes() has counted last.
    bool agreed() const { return agreed_; }
    /// Whether this rank's buffers in the call just counted are on a device: a DeviceMirror serves
    /// it.
    bool here() const { return here_; }

private:
    [[gnu::cold]] void agree(const Communicator& state);

    DeviceAgreement agreement_;
    bool here_ = false, agreed_ = false, counted_ahead_ = false;
};

}  // namespace hopbine::mpi
