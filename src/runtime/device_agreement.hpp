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

}  // namespace hopbine::mpi
