#include "mpi/state/device_library.hpp"

#include <dlfcn.h>

#include <cstdint>

namespace hopbine::mpi {

namespace {

/// Sets `*function` to a symbol of an open library. False: the library has no such symbol.
template <class F>
bool find(void* handle, const char* name, F** function) {
    *function = reinterpret_cast<F*>(dlsym(handle, name));
    return *function != nullptr;
}

class Cuda : public DeviceLibrary {
public:
    bool open(void* handle) {
        return find(handle, "cuPointerGetAttribute", &attribute_) &&
               find(handle, "cuMemcpy", &copy_) && find(handle, "cuStreamSynchronize", &wait_) &&
               find(handle, "cuCtxPushCurrent_v2", &push_) &&
               find(handle, "cuCtxPopCurrent_v2", &pop_);
    }
    bool on_device(const void* address) const override {
        unsigned kind = 0, managed = 0;
        if (attribute_(&kind, kMemoryType, word(address)) != 0 || kind != kDevice) return false;
        return attribute_(&managed, kIsManaged, word(address)) != 0 || !managed;
    }
    bool copy(void* to, const void* from, std::size_t bytes, const void* device) const override {
        // The calling thread may have no context; memory from a pool belongs to none.
        void *context = nullptr, *popped = nullptr;
        const bool pushed =
            attribute_(&context, kContext, word(device)) == 0 && context && push_(context) == 0;
        // A copy to the device may return before it completes.
        const bool good = copy_(word(to), word(from), bytes) == 0 && wait_(nullptr) == 0;
        if (pushed) pop_(&popped);
        return good;
    }

private:
    using Word = unsigned long long;  ///< CUdeviceptr
    enum { kContext = 1, kMemoryType = 2, kIsManaged = 8, kDevice = 2 };
    static Word word(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

    int (*attribute_)(void*, int, Word) = nullptr;
    int (*copy_)(Word, Word, std::size_t) = nullptr;
    int (*wait_)(void*) = nullptr;
    int (*push_)(void*) = nullptr;
    int (*pop_)(void**) = nullptr;
};

class Hip : public DeviceLibrary {
public:
    bool open(void* handle) {
        return find(handle, "hipPointerGetAttributes", &attributes_) &&
               find(handle, "hipMemcpy", &copy_) && find(handle, "hipStreamSynchronize", &wait_);
    }
    bool on_device(const void* address) const override {
        Attributes a;
        return attributes_(&a, address) == 0 && a.device_pointer && !a.host_pointer && !a.managed;
    }
    bool copy(void* to, const void* from, std::size_t bytes, const void*) const override {
        constexpr int kDefault = 4;  // the direction follows from the addresses
        return copy_(to, from, bytes, kDefault) == 0 && wait_(nullptr) == 0;
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
    int (*attributes_)(Attributes*, const void*) = nullptr;
    int (*copy_)(void*, const void*, std::size_t, int) = nullptr;
    int (*wait_)(void*) = nullptr;
};

template <class Library>
const DeviceLibrary* opened(void* handle) {
    static Library library;
    return library.open(handle) ? &library : nullptr;
}

}  // namespace

const DeviceLibrary* cuda_library(void* handle) { return opened<Cuda>(handle); }
const DeviceLibrary* hip_library(void* handle) { return opened<Hip>(handle); }

}  // namespace hopbine::mpi
