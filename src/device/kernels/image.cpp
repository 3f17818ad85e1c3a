#include "device/kernels/image.hpp"

// Defines SYMBOL, the bytes of a file and a zero.
#define HOPBINE_EMBED(symbol, file)                                                           \
    asm(".pushsection .rodata\n.balign 64\n.local " #symbol "\n" #symbol ":\n.incbin \"" file \
        "\"\n.byte 0\n.popsection\n");                                                        \
    extern "C" __attribute__((visibility("hidden"))) const char symbol[]

#ifdef HOPBINE_CUDA_KERNELS
HOPBINE_EMBED(hopbine_cuda_kernels, HOPBINE_CUDA_KERNELS);
#endif
#ifdef HOPBINE_HIP_KERNELS
HOPBINE_EMBED(hopbine_hip_kernels, HOPBINE_HIP_KERNELS);
#endif

// X(symbol, file): the source, then what it includes.
#define HOPBINE_KERNEL_SOURCES(X)             \
    X(hopbine_reductions_cu, "reductions.cu") \
    X(hopbine_operands_h, "operands.h")       \
    X(hopbine_reductions_h, "reductions.h")   \
    X(hopbine_halves_h, "halves.h")           \
    X(hopbine_node_h, "node.h")               \
    X(hopbine_collectives_h, "node_collectives.h")
#define HOPBINE_EMBED_SOURCE(symbol, file) HOPBINE_EMBED(symbol, HOPBINE_KERNEL_FOLDER "/" file);
HOPBINE_KERNEL_SOURCES(HOPBINE_EMBED_SOURCE)

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

std::span<const KernelSource> kernel_sources() {
#define HOPBINE_NAMED_SOURCE(symbol, file) {file, symbol},
    static constexpr KernelSource all[] = {HOPBINE_KERNEL_SOURCES(HOPBINE_NAMED_SOURCE)};
    return all;
}

}  // namespace hopbine::device
