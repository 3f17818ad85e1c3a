/// The questions that hopbine asks a GPU's library, by functions found in what the program has
/// loaded.
#pragma once
#include <cstddef>

namespace hopbine::mpi {

/// CUDA's driver or HIP. Nothing of either is linked.
class DeviceLibrary {
public:
    virtual ~DeviceLibrary() = default;
    /// Only the device can read what lies at `address`.
    virtual bool on_device(const void* address) const = 0;
    /// Copies between host and device; `device` is the one of both on it. False: it failed.
    virtual bool copy(void* to, const void* from, std::size_t bytes, const void* device) const = 0;
};

/// The functions in an open library; null when it lacks one. Valid for ever.
const DeviceLibrary* cuda_library(void* handle);
const DeviceLibrary* hip_library(void* handle);

}  // namespace hopbine::mpi
