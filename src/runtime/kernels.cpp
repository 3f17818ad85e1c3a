#include "runtime/kernels.hpp"

#include <array>

#include "device/kernels/reductions.h"

namespace hopbine::mpi {

// Compiles for several vector units: the machine that runs selects the widest, not the one that
// built.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__)
#define HOPBINE_CLONES __attribute__((target_clones("default", "avx2", "avx512f"), optimize("O3")))
#else
#define HOPBINE_CLONES
#endif

#define HOPBINE_KERNEL(operation, suffix, T, value)                                       \
    HOPBINE_CLONES void operation##_##suffix(const void* from, void* to, std::size_t n) { \
        const T* __restrict a = static_cast<const T*>(from);                              \
        T* __restrict b = static_cast<T*>(to);                                            \
        for (std::size_t i = 0; i < n; ++i) {                                             \
            const T x = a[i], y = b[i];                                                   \
            b[i] = static_cast<T>(value);                                                 \
        }                                                                                 \
    }

namespace {

HOPBINE_REDUCTIONS(HOPBINE_KERNEL)

struct Named {
    Kernel kernel = nullptr;
    const char* name = nullptr;
};

template <class E>
constexpr std::size_t index(E e) {
    return static_cast<std::size_t>(e);
}

using Table =
    std::array<std::array<Named, index(Element::bf16) + 1>, index(Operation::bit_xor) + 1>;

#define HOPBINE_NAMED(operation, suffix, T, value)             \
    out[index(Operation::operation)][index(Element::suffix)] = \
        Named{operation##_##suffix, #operation "_" #suffix};
constexpr Table kTable = [] {
    Table out{};
    HOPBINE_REDUCTIONS(HOPBINE_NAMED)
    return out;
}();

const Named& named(Operation op, Element e) { return kTable[index(op)][index(e)]; }

}  // namespace

Kernel kernel(Operation op, Element e) { return named(op, e).kernel; }
const char* kernel_name(Operation op, Element e) { return named(op, e).name; }

}  // namespace hopbine::mpi
