/// Functions that CUDA's driver and HIP both have, with parameters of the same kinds.
#pragma once
#include <cstddef>

namespace hopbine::device {

/// X(name here, parameters, name in CUDA's driver, name in HIP). Addresses are pointers here:
/// CUdeviceptr is passed in the same way.
#define HOPBINE_DRIVER_FUNCTIONS(X)                                                   \
    X(pin, (void*, std::size_t, unsigned), "cuMemHostRegister_v2", "hipHostRegister") \
    X(unpin, (void*), "cuMemHostUnregister", "hipHostUnregister")                     \
    X(to_host, (void*, const void*, std::size_t, void*), "cuMemcpyDtoHAsync_v2",      \
      "hipMemcpyDtoHAsync")                                                           \
    X(to_device, (void*, const void*, std::size_t, void*), "cuMemcpyHtoDAsync_v2",    \
      "hipMemcpyHtoDAsync")                                                           \
    X(make_stream, (void**, unsigned), "cuStreamCreate", "hipStreamCreateWithFlags")  \
    X(wait_stream, (void*), "cuStreamSynchronize", "hipStreamSynchronize")

/// The functions of an open library.
struct Driver {
#define HOPBINE_MEMBER(name, parameters, cuda, hip) int(*name) parameters = nullptr;
    HOPBINE_DRIVER_FUNCTIONS(HOPBINE_MEMBER)
#undef HOPBINE_MEMBER

    enum class Names { cuda, hip };
    /// False: the library lacks one of them.
    bool open(void* library, Names names);
};

}  // namespace hopbine::device
