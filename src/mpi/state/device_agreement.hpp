/// When the ranks of a communicator tell each other what memory they use, and what follows for
/// their calls.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

namespace hopbine::mpi {

/// What a rank knows of device memory, in an order in which the most decides.
enum class DeviceUse : int {
    none,    ///< no library for devices is loaded
    loaded,  ///< one is, and no buffer was on a device
    used,    ///< a buffer was on a device, or nobody can tell
};

/// Decides for all ranks alike, because it sees only the number of a call and what all ranks agreed
/// on. docs/device-memory.md has the reasons.
class DeviceAgreement {
public:
    /// Counts a call. True: before it goes on, all ranks exchange `seen()` and pass the most to
    /// `update`.
    bool count(DeviceUse of_this_rank) {
        seen_ = std::max(seen_, of_this_rank);
        return ++calls_ == next_;
    }
    /// The most that this rank knows since the last agreement.
    DeviceUse seen() const { return seen_; }
    void update(DeviceUse most) {
        passes_ = most == DeviceUse::used;
        seen_ = DeviceUse::none;
        next_ = std::bit_ceil(calls_ + 1);
        if (most != DeviceUse::none) next_ = std::min(next_, (calls_ / kInterval + 1) * kInterval);
    }
    /// The MPI library serves the calls until the next agreement.
    bool passes() const { return passes_; }

private:
    /// Calls between agreements where a library for devices is loaded.
    static constexpr std::uint64_t kInterval = 64;

    std::uint64_t calls_ = 0, next_ = 1;  ///< the last call, and the next with an agreement
    DeviceUse seen_ = DeviceUse::none;
    bool passes_ = false;
};

}  // namespace hopbine::mpi
