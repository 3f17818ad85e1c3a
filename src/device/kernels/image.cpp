#include "device/kernels/image.hpp"

// Defines SYMBOL, the bytes of a file.
#define HOPBINE_EMBED(symbol, file)                                                           \
    asm(".pushsection .rodata\n.balign 64\n.local " #symbol "\n" #symbol ":\n.incbin \"" file \
        "\"\n.popsection\n");                                                                 \
    extern "C" __attribute__((visibility("hidden"))) const char symbol[]

#ifdef HOPBINE_CUDA_KERNELS
HOPBINE_EMBED(hopbine_cuda_kernels, HOPBINE_CUDA_KERNELS);
#endif
#ifdef HOPBINE_HIP_KERNELS
HOPBINE_EMBED(hopbine_hip_kernels, HOPBINE_HIP_KERNELS);
#endif

namespace hopbine::device {

const void* cuda_kernels() {
#ifdef HOPBINE_CUDA_KERNELS
    return hopbine_cuda_kernels;
#else
    return nullptr;
#endif
}

const void* hip_kernels() {
#ifdef HOPBINE_HIP_KERNELS
    return hopbine_hip_kernels;
#else
    return nullptr;
#endif
}

}  // namespace hopbine::device
