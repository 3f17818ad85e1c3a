/// Functions that CUDA's driver and HIP both have, with parameters of the same kinds.
#pragma once
#include <array>
#include <cstddef>

namespace hopbine::device {

/// CUipcMemHandle and hipIpcMemHandle_t.
struct IpcHandle {
    std::array<char, 64> bytes;
};

/// X(name here, parameters, name in CUDA's driver, name in HIP). Addresses are pointers here:
/// CUdeviceptr is passed in the same way.
#define HOPBINE_DRIVER_FUNCTIONS(X)                                                   \
    X(allocate, (void**, std::size_t), "cuMemAlloc_v2", "hipMalloc")                  \
    X(release, (void*), "cuMemFree_v2", "hipFree")                                    \
    X(range, (void**, std::size_t*, const void*), "cuMemGetAddressRange_v2",          \
      "hipMemGetAddressRange")                                                        \
    X(pin, (void*, std::size_t, unsigned), "cuMemHostRegister_v2", "hipHostRegister") \
    X(unpin, (void*), "cuMemHostUnregister", "hipHostUnregister")                     \
    X(to_host, (void*, const void*, std::size_t, void*), "cuMemcpyDtoHAsync_v2",      \
      "hipMemcpyDtoHAsync")                                                           \
    X(to_device, (void*, const void*, std::size_t, void*), "cuMemcpyHtoDAsync_v2",    \
      "hipMemcpyHtoDAsync")                                                           \
    X(within, (void*, const void*, std::size_t, void*), "cuMemcpyDtoDAsync_v2",       \
      "hipMemcpyDtoDAsync")                                                           \
    X(make_stream, (void**, unsigned), "cuStreamCreate", "hipStreamCreateWithFlags")  \
    X(wait_stream, (void*), "cuStreamSynchronize", "hipStreamSynchronize")            \
    X(make_event, (void**, unsigned), "cuEventCreate", "hipEventCreateWithFlags")     \
    X(record, (void*, void*), "cuEventRecord", "hipEventRecord")                      \
    X(query, (void*), "cuEventQuery", "hipEventQuery")                                \
    X(wait_event, (void*), "cuEventSynchronize", "hipEventSynchronize")               \
    X(free_event, (void*), "cuEventDestroy_v2", "hipEventDestroy")                    \
    X(export_memory, (IpcHandle*, void*), "cuIpcGetMemHandle", "hipIpcGetMemHandle")  \
    X(import_memory, (void**, IpcHandle, unsigned), "cuIpcOpenMemHandle_v2",          \
      "hipIpcOpenMemHandle")                                                          \
    X(close_memory, (void*), "cuIpcCloseMemHandle", "hipIpcCloseMemHandle")

/// What they return besides 0: an event has not happened yet.
inline constexpr int kNotReady = 600;

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
