/// The compiled kernels of reductions.cu, which CMake embeds where it finds a compiler for them.
#pragma once

namespace hopbine::device {

/// For cuModuleLoadData and hipModuleLoadData; null: hopbine was built without.
const void* cuda_kernels();
const void* hip_kernels();

}  // namespace hopbine::device
