/// GPU libraries that this process has loaded so far, and what they report of an address.
#pragma once
#include <link.h>

#include <atomic>
#include <mutex>

#include "device/library.hpp"

namespace hopbine::device {

/// Searches again whenever the process has loaded a library. While it has loaded none since
/// hopbine's runtime, as in most programs, the check is one load from memory.
class Runtime {
public:
    static Runtime& get() { return one_; }
    /// Whether CUDA's driver, HIP or Level Zero is loaded.
    bool loaded() {
        if (!nothing_new()) look();
        return found_.load(std::memory_order_acquire);
    }
    /// Whether Level Zero is loaded: it reports on memory only with the program's own context.
    bool opaque() const { return opaque_.load(std::memory_order_relaxed); }
    /// What the libraries say of an address. Within a Call they are asked of one address once.
    Library::About about(const void* address) const;
    bool on_device(const void* address) const { return about(address).on_device; }
    bool has_handle(const void* address) const { return about(address).has_handle; }
    Space* space_of(const void* address) const { return about(address).space; }

    /// A call of this thread's in which no memory is allocated or freed by the program.
    class Call {
    public:
        Call();
        Call(const Call&) = delete;
        Call& operator=(const Call&) = delete;
        ~Call();
    };

private:
    Runtime();
    bool nothing_new() const { return !__atomic_load_n(&last_->l_next, __ATOMIC_ACQUIRE); }
    void look();
    void find_all();
    Library::About ask(const void* address) const;

    static Runtime one_;

    /// Last entry of the loader's list when hopbine's runtime was loaded: the runtime or a library
    /// that it needs, so never unloaded.
    const link_map* last_;
    /// Libraries loaded by the last search. Released after what it has found, and acquired before
    /// that is read.
    std::atomic<unsigned long long> additions_{~0ull};
    std::atomic<bool> found_{false};  ///< acquired: those below are read after it
    std::atomic<bool> opaque_{false};
    std::atomic<Library*> cuda_{nullptr}, hip_{nullptr};
    std::mutex lock_;
};

}  // namespace hopbine::device
