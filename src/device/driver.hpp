/// Functions that CUDA's driver and HIP both have, with parameters of the same kinds.
#pragma once
#include "device/hip_compiler.hpp"
#include "device/space.hpp"

namespace hopbine::device {

/// X(name here, parameters, name in CUDA's driver, name in HIP). Addresses are pointers here:
/// CUdeviceptr is passed in the same way.
#define HOPBINE_DRIVER_FUNCTIONS(X)                                                                \
    X(allocate, (void**, std::size_t), "cuMemAlloc_v2", "hipMalloc")                               \
    X(allocate_managed, (void**, std::size_t, unsigned), "cuMemAllocManaged", "hipMallocManaged")  \
    X(free, (void*), "cuMemFree_v2", "hipFree")                                                    \
    X(allocate_host, (void**, std::size_t, unsigned), "cuMemHostAlloc", "hipHostMalloc")           \
    X(pin, (void*, std::size_t, unsigned), "cuMemHostRegister_v2", "hipHostRegister")              \
    X(unpin, (void*), "cuMemHostUnregister", "hipHostUnregister")                                  \
    X(to_host, (void*, const void*, std::size_t, void*), "cuMemcpyDtoHAsync_v2",                   \
      "hipMemcpyDtoHAsync")                                                                        \
    X(to_device, (void*, const void*, std::size_t, void*), "cuMemcpyHtoDAsync_v2",                 \
      "hipMemcpyHtoDAsync")                                                                        \
    X(within, (void*, const void*, std::size_t, void*), "cuMemcpyDtoDAsync_v2",                    \
      "hipMemcpyDtoDAsync")                                                                        \
    X(load, (void**, const void*), "cuModuleLoadData", "hipModuleLoadData")                        \
    X(find, (void**, void*, const char*), "cuModuleGetFunction", "hipModuleGetFunction")           \
    X(launch,                                                                                      \
      (void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, \
       void**),                                                                                    \
      "cuLaunchKernel", "hipModuleLaunchKernel")                                                   \
    X(make_stream, (void**, unsigned), "cuStreamCreate", "hipStreamCreateWithFlags")               \
    X(wait_stream, (void*), "cuStreamSynchronize", "hipStreamSynchronize")                         \
    X(ask_stream, (void*), "cuStreamQuery", "hipStreamQuery")                                      \
    X(make_event, (void**, unsigned), "cuEventCreate", "hipEventCreateWithFlags")                  \
    X(record_event, (void*, void*), "cuEventRecord", "hipEventRecord")                             \
    X(wait_event, (void*), "cuEventSynchronize", "hipEventSynchronize")                            \
    X(await_event, (void*, void*, unsigned), "cuStreamWaitEvent", "hipStreamWaitEvent")            \
    X(free_event, (void*), "cuEventDestroy_v2", "hipEventDestroy")

/// Functions for memory of other processes, which a driver may lack.
#define HOPBINE_HANDLE_FUNCTIONS(X)                                                            \
    X(make_handle, (Handle*, void*), "cuIpcGetMemHandle", "hipIpcGetMemHandle")                \
    X(open_handle, (void**, Handle, unsigned), "cuIpcOpenMemHandle_v2", "hipIpcOpenMemHandle") \
    X(close_handle, (void*), "cuIpcCloseMemHandle", "hipIpcCloseMemHandle")

/// Functions for work that is kept, which a driver may lack.
#define HOPBINE_GRAPH_FUNCTIONS(X)                                                     \
    X(begin_capture, (void*, int), "cuStreamBeginCapture_v2", "hipStreamBeginCapture") \
    X(end_capture, (void*, void**), "cuStreamEndCapture", "hipStreamEndCapture")       \
    X(make_graph, (void**, void*, unsigned long long), "cuGraphInstantiateWithFlags",  \
      "hipGraphInstantiateWithFlags")                                                  \
    X(launch_graph, (void*, void*), "cuGraphLaunch", "hipGraphLaunch")                 \
    X(free_captured, (void*), "cuGraphDestroy", "hipGraphDestroy")                     \
    X(free_graph, (void*), "cuGraphExecDestroy", "hipGraphExecDestroy")

/// The functions of an open library.
struct Driver {
#define HOPBINE_MEMBER(name, parameters, cuda, hip) int(*name) parameters = nullptr;
    HOPBINE_DRIVER_FUNCTIONS(HOPBINE_MEMBER)
    HOPBINE_HANDLE_FUNCTIONS(HOPBINE_MEMBER)
    HOPBINE_GRAPH_FUNCTIONS(HOPBINE_MEMBER)
#undef HOPBINE_MEMBER
    bool has_handles = false;  ///< it has all functions for them
    bool has_graphs = false;

    const void* kernels = nullptr;  ///< for `load`; null: hopbine was built without
    HipCompiler compiler;           ///< makes them then, where it is usable

    enum class Names { cuda, hip };
    /// False: the library lacks one that must be there.
    bool open(void* library, Names names);
};

}  // namespace hopbine::device
