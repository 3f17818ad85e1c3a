/// A GPU's library, whose functions are looked up where the program has loaded it.
#pragma once
#include "device/space.hpp"

namespace hopbine::device {

/// CUDA's driver or HIP. hopbine links neither.
class Library {
public:
    virtual ~Library() = default;
    /// Whether only the device can read the memory at `address`.
    virtual bool on_device(const void* address) const = 0;
    /// Whether another process can open the device memory by a handle, as that of cudaMalloc.
    /// False: it is from a pool (cudaMallocAsync), or the program has mapped it (cuMemMap).
    virtual bool has_handle(const void* address) const = 0;
    /// The space of memory that is on a device; null when it cannot be found. Never freed.
    virtual Space* space_of(const void* address) = 0;
};

/// The library of an open handle; null when it lacks a function. Never freed.
Library* cuda_library(void* handle);
Library* hip_library(void* handle);

}  // namespace hopbine::device
