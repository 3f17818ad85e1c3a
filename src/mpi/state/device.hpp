/// The GPU libraries that this process has loaded by now, and what they say of an address.
#pragma once
#include <link.h>

#include <atomic>
#include <mutex>

#include "mpi/state/device_library.hpp"

namespace hopbine::mpi {

/// Looks again whenever the process has loaded something. While it has loaded nothing since
/// hopbine's runtime, which is so in most programs, a look is one load from memory.
class DeviceRuntime {
public:
    static DeviceRuntime& get() { return one_; }
    /// CUDA's driver, HIP or Level Zero is loaded.
    bool loaded() {
        if (!nothing_new()) look();
        return found_.load(std::memory_order_acquire);
    }
    /// Level Zero is loaded: it tells nothing of memory to who has not the program's context.
    bool opaque() const { return opaque_.load(std::memory_order_relaxed); }
    /// Only a device can read what lies at `address`.
    bool on_device(const void* address) const { return owner(address) != nullptr; }
    /// Copies between host and device; `device` is the one of both on it. False: it failed.
    bool copy(void* to, const void* from, std::size_t bytes, const void* device) const;

private:
    DeviceRuntime();
    bool nothing_new() const { return !__atomic_load_n(&last_->l_next, __ATOMIC_ACQUIRE); }
    void look();
    void find_all();
    const DeviceLibrary* owner(const void* address) const;

    static DeviceRuntime one_;

    /// The end of the loader's list when hopbine's runtime was loaded: the runtime or what it
    /// needs, so never unloaded.
    const link_map* last_;
    std::atomic<unsigned long long> additions_{~0ull};  ///< libraries loaded until the last look
    std::atomic<bool> found_{false}, opaque_{false};
    std::atomic<const DeviceLibrary*> cuda_{nullptr}, hip_{nullptr};
    std::mutex lock_;
};

}  // namespace hopbine::mpi
