/// Tells AddressSanitizer and ThreadSanitizer of switches between stacks; else does nothing.
#pragma once
#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace hopbine::mpi {

/// A stack as the sanitizers know it.
class SanitizedStack {
public:
#if defined(__SANITIZE_ADDRESS__)
    void own(char* base, std::size_t bytes) { base_ = base, bytes_ = bytes; }
    /// Before a switch from this stack to another. `ends`: this one's frames are over.
    void leave(const SanitizedStack& to, bool ends) {
        __sanitizer_start_switch_fiber(ends ? nullptr : &fake_, to.base_, to.bytes_);
    }
    /// After a switch to this stack. Learns where the other one lies.
    void arrive(SanitizedStack& from) {
        const void* base = nullptr;
        std::size_t bytes = 0;
        __sanitizer_finish_switch_fiber(fake_, &base, &bytes);
        from.base_ = base, from.bytes_ = bytes;
    }
    /// The stack begins anew: what is left of its last function is no longer in use.
    void restart() {
        fake_ = nullptr;
        __asan_unpoison_memory_region(base_, bytes_);
    }
    void of_thread() {}
    /// The stack is given back: other memory may be mapped there.
    void end() { restart(); }

private:
    void* fake_ = nullptr;
    const void* base_ = nullptr;
    std::size_t bytes_ = 0;
#elif defined(__SANITIZE_THREAD__)
    void own(char*, std::size_t) { fiber_ = __tsan_create_fiber(0); }
    void leave(const SanitizedStack& to, bool) { __tsan_switch_to_fiber(to.fiber_, 0); }
    void arrive(SanitizedStack&) {}
    void restart() {}
    void of_thread() { fiber_ = __tsan_get_current_fiber(); }
    void end() { __tsan_destroy_fiber(fiber_); }

private:
    void* fiber_ = nullptr;
#else
    void own(char*, std::size_t) {}
    void leave(const SanitizedStack&, bool) {}
    void arrive(SanitizedStack&) {}
    void restart() {}
    void of_thread() {}
    void end() {}
#endif
};

}  // namespace hopbine::mpi
