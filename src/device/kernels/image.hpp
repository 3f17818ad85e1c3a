/// The kernels: compiled by CMake where it finds a compiler for them, and their source.
#pragma once
#include <span>

namespace hopbine::device {

/// For cuModuleLoadData and hipModuleLoadData; null: hopbine was built without.
const void* cuda_kernels();
const void* hip_kernels();

/// A file that the kernels are made of.
struct KernelSource {
    const char *name, *text;
};
/// The source, then the files that it includes: for compilers at run time.
std::span<const KernelSource> kernel_sources();

}  // namespace hopbine::device
