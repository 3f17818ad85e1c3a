/// When the ranks of a communicator agree on the memory they use, and what follows for their calls.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

namespace hopbine::mpi {

/// A rank's use of device memory, in ascending order: the maximum over all ranks decides.
enum class DeviceUse : int {
    none,    ///< no GPU library is loaded
    loaded,  ///< a GPU library is loaded, and no buffer was on a device
    used,    ///< a buffer was on a device, or that cannot be determined
};

/// Decides the same on all ranks: it depends on the number of the call and on past agreements only.
/// docs/device-memory.md has the reasons.
class DeviceAgreement {
public:
    /// Counts a call. True: all ranks first exchange `seen()` and pass the maximum to `update`.
    bool count(DeviceUse of_this_rank) {
        seen_ = std::max(seen_, of_this_rank);
        return ++calls_ == next_;
    }
    /// Whether count() of the next call is true.
    bool due() const { return calls_ + 1 == next_; }
    /// The maximum on this rank since the last agreement.
    DeviceUse seen() const { return seen_; }
    void update(DeviceUse most) {
        passes_ = most == DeviceUse::used;
        seen_ = DeviceUse::none;
        next_ = std::bit_ceil(calls_ + 1);
        const auto interval = (calls_ / kInterval + 1) * kInterval;
        next_ = most == DeviceUse::none ? std::max(next_, kInterval) : std::min(next_, interval);
    }
    /// Whether the MPI library serves the calls until the next agreement.
    bool passes() const { return passes_; }

private:
    /// Calls between agreements where a GPU library is loaded.
    static constexpr std::uint64_t kInterval = 64;

    std::uint64_t calls_ = 0, next_ = 1;  ///< the last call, and the next with an agreement
    DeviceUse seen_ = DeviceUse::none;
    bool passes_ = false;
};

/// Decides whether device memory makes the MPI library serve the calls of a communicator. Counts
/// the calls on a communicator, whatever serves them, but for those that the MPI library refuses on
/// this rank: all ranks count the same.
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
    /// it, on all ranks. Collective at some calls: most(x) is the maximum of x over all ranks.
    template <class Most>
    bool passes(DeviceUse use, const Most& most) {
        here_ = use == DeviceUse::used;
        agreed_ = !counted_ahead_ && agreement_.count(use);
        counted_ahead_ = false;
        if (agreed_) [[unlikely]]
            agreement_.update(
                static_cast<DeviceUse>(most(static_cast<std::int64_t>(agreement_.seen()))));
        return agreement_.passes();
    }
    /// Whether the ranks have agreed in the call that start() or passes() has counted last.
    bool agreed() const { return agreed_; }
    /// Whether this rank's buffers in the call just counted are on a device: a DeviceMirror serves
    /// it.
    bool here() const { return here_; }

private:
    DeviceAgreement agreement_;
    bool here_ = false, agreed_ = false, counted_ahead_ = false;
};

}  // namespace hopbine::mpi
