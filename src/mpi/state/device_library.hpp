/// Functions of a GPU's library, looked up in the libraries that the program has loaded.
#pragma once
#include <cstddef>

namespace hopbine::mpi {

/// CUDA's driver or HIP. hopbine links neither.
class DeviceLibrary {
public:
    virtual ~DeviceLibrary() = default;
    /// Whether only the device can read the memory at `address`.
    virtual bool on_device(const void* address) const = 0;
    /// Copies between host and device; `device` is the address on the device. False: the copy
    /// failed.
    virtual bool copy(void* to, const void* from, std::size_t bytes, const void* device) const = 0;
};

/// The library of an open handle; null when it lacks a function. Never freed.
const DeviceLibrary* cuda_library(void* handle);
const DeviceLibrary* hip_library(void* handle);

}  // namespace hopbine::mpi
