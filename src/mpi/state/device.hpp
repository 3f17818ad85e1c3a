/// GPU libraries that this process has loaded so far, and what they report of an address.
#pragma once
#include <link.h>

#include <atomic>
#include <mutex>

#include "mpi/state/device_library.hpp"

namespace hopbine::mpi {

/// Searches again whenever the process has loaded a library. While it has loaded none since
/// hopbine's runtime, as in most programs, the check is one load from memory.
class DeviceRuntime {
public:
    static DeviceRuntime& get() { return one_; }
    /// Whether CUDA's driver, HIP or Level Zero is loaded.
    bool loaded() {
        if (!nothing_new()) look();
        return found_.load(std::memory_order_acquire);
    }
    /// Whether Level Zero is loaded: it reports on memory only with the program's own context.
    bool opaque() const { return opaque_.load(std::memory_order_relaxed); }
    /// Whether only a device can read the memory at `address`.
    bool on_device(const void* address) const { return owner(address) != nullptr; }
    /// Copies between host and device; `device` is the address on the device. False: the copy
    /// failed.
    bool copy(void* to, const void* from, std::size_t bytes, const void* device) const;

private:
    DeviceRuntime();
    bool nothing_new() const { return !__atomic_load_n(&last_->l_next, __ATOMIC_ACQUIRE); }
    void look();
    void find_all();
    const DeviceLibrary* owner(const void* address) const;

    static DeviceRuntime one_;

    /// Last entry of the loader's list when hopbine's runtime was loaded: the runtime or a library
    /// that it needs, so never unloaded.
    const link_map* last_;
    std::atomic<unsigned long long> additions_{~0ull};  ///< libraries loaded by the last search
    std::atomic<bool> found_{false}, opaque_{false};
    std::atomic<const DeviceLibrary*> cuda_{nullptr}, hip_{nullptr};
    std::mutex lock_;
};

}  // namespace hopbine::mpi
