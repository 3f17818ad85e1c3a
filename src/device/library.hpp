/// A GPU's library, whose functions are looked up where the program has loaded it.
#pragma once
#include "device/space.hpp"

namespace hopbine::device {

/// CUDA's driver or HIP. hopbine links neither.
class Library {
public:
    /// What it says of an address.
    struct About {
        bool on_device = false;  ///< only the device can read the memory
        /// Another process can open it by a handle, as memory of cudaMalloc. False: it is from a
        /// pool (cudaMallocAsync), or the program has mapped it (cuMemMap).
        bool has_handle = false;
        Space* space = nullptr;  ///< where it is; null: that cannot be found. Never freed
    };
    virtual ~Library() = default;
    virtual About about(const void* address) = 0;
};

/// The library of an open handle; null when it lacks a function. Never freed.
Library* cuda_library(void* handle);
Library* hip_library(void* handle);

}  // namespace hopbine::device
