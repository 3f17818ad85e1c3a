#include "device/library.hpp"

#include <cstdint>
#include <map>
#include <mutex>

#include "device/driver_space.hpp"
#include "device/symbol.hpp"

namespace hopbine::device {

namespace {

/// The spaces of a library, made at their first use.
class Spaces {
public:
    Space* at(void* place, const Driver& driver, const Switch& devices) {
        const std::lock_guard hold(lock_);
        return &all_.try_emplace(place, driver, devices, place).first->second;
    }

private:
    std::mutex lock_;
    std::map<void*, DriverSpace> all_;
};

class Cuda final : public Library, public Switch {
public:
    bool open(void* handle) {
        return driver_.open(handle, Driver::Names::cuda) &&
               find_symbol(handle, "cuPointerGetAttributes", &attributes_) &&
               find_symbol(handle, "cuDevicePrimaryCtxRetain", &retain_) &&
               find_symbol(handle, "cuCtxPushCurrent_v2", &push_) &&
               find_symbol(handle, "cuCtxPopCurrent_v2", &pop_);
    }
    /// The driver is asked once for all: each question takes it up to a microsecond.
    About about(const void* address) override {
        About out;
        Answers a;
        if (!ask(address, &a, kQuestions)) {
            if (!ask(address, &a, kQuestions - 1)) return out;
            a.has_handle = 1;  // a driver that cannot tell has no other memory
        }
        out.on_device = a.kind == kDevice && !a.managed;
        if (!out.on_device) return out;
        out.has_handle = a.has_handle;
        // Memory from a pool belongs to no context.
        if (a.context || retain_(&a.context, a.device) == 0)
            out.space = spaces_.at(a.context, driver_, *this);
        return out;
    }
    bool enter(void* place, void** before) const override {
        *before = nullptr;
        return push_(place) == 0;
    }
    void leave(void*) const override {
        void* popped = nullptr;
        pop_(&popped);
    }

private:
    using Word = unsigned long long;  ///< CUdeviceptr
    enum { kContext = 1, kMemoryType = 2, kIsManaged = 8, kDeviceNumber = 9, kHasHandle = 10 };
    enum { kDevice = 2 };
    struct Answers {
        unsigned kind = 0, managed = 0;
        void* context = nullptr;
        int device = 0, has_handle = 0;
    };
    enum { kQuestions = 5 };
    /// Asks the first `n` of the questions.
    bool ask(const void* address, Answers* a, unsigned n) const {
        int what[] = {kMemoryType, kIsManaged, kContext, kDeviceNumber, kHasHandle};
        void* to[] = {&a->kind, &a->managed, &a->context, &a->device, &a->has_handle};
        return attributes_(n, what, to, reinterpret_cast<std::uintptr_t>(address)) == 0;
    }

    Driver driver_;
    Spaces spaces_;
    int (*attributes_)(unsigned, int*, void**, Word) = nullptr;
    int (*retain_)(void**, int) = nullptr;
    int (*push_)(void*) = nullptr;
    int (*pop_)(void**) = nullptr;
};

class Hip final : public Library, public Switch {
public:
    bool open(void* handle) {
        find_symbol(handle, "hipPointerGetAttribute", &attribute_);
        return driver_.open(handle, Driver::Names::hip) &&
               find_symbol(handle, "hipPointerGetAttributes", &attributes_) &&
               find_symbol(handle, "hipGetDevice", &current_) &&
               find_symbol(handle, "hipSetDevice", &set_current_);
    }
    About about(const void* address) override {
        About out;
        Attributes a;
        if (attributes_(&a, address) != 0) return out;
        out.on_device = a.device_pointer && !a.host_pointer && !a.managed;
        if (!out.on_device) return out;
        int has = 0;  // older libraries cannot tell, and have no other memory
        out.has_handle = !attribute_ || attribute_(&has, kHasHandle, address) != 0 || has;
        out.space = spaces_.at(place(a.device), driver_, *this);
        return out;
    }
    bool enter(void* device, void** before) const override {
        int now = 0;
        if (current_(&now) != 0) return false;
        *before = place(now);
        return now == number(device) || set_current_(number(device)) == 0;
    }
    void leave(void* before) const override {
        int now = 0;
        if (current_(&now) != 0 || now != number(before)) set_current_(number(before));
    }

private:
    /// hipPointerAttribute_t. ROCm 6 changed the numbers of its memory kinds, not the offsets.
    struct Attributes {
        int kind = 0, device = 0;
        void *device_pointer = nullptr, *host_pointer = nullptr;
        int managed = 0;
        unsigned flags = 0;
        char more[64] = {};
    };
    static void* place(int device) { return reinterpret_cast<void*>(std::intptr_t{device}); }
    static int number(void* place) {
        return static_cast<int>(reinterpret_cast<std::intptr_t>(place));
    }

    Driver driver_;
    Spaces spaces_;
    enum { kHasHandle = 10 };
    int (*attribute_)(void*, int, const void*) = nullptr;  ///< null: an older library
    int (*attributes_)(Attributes*, const void*) = nullptr;
    int (*current_)(int*) = nullptr;
    int (*set_current_)(int) = nullptr;
};

/// For ever: the device's work may go on while the process ends.
template <class Kind>
Library* opened(void* handle) {
    static Kind& library = *new Kind;
    return library.open(handle) ? &library : nullptr;
}

}  // namespace

Library* cuda_library(void* handle) { return opened<Cuda>(handle); }
Library* hip_library(void* handle) { return opened<Hip>(handle); }

}  // namespace hopbine::device
