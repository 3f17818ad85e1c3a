#include "runtime/kernels.hpp"

#include <array>

#include "device/kernels/reductions.h"
#include "runtime/vector_units.hpp"

namespace hopbine::mpi {

namespace {

#define HOPBINE_KERNEL(operation, suffix, T, value)                                       \
    HOPBINE_TARGET void operation##_##suffix(const void* from, void* to, std::size_t n) { \
        const T* __restrict a = static_cast<const T*>(from);                              \
        T* __restrict b = static_cast<T*>(to);                                            \
        for (std::size_t i = 0; i < n; ++i) {                                             \
            const T x = a[i], y = b[i];                                                   \
            b[i] = static_cast<T>(value);                                                 \
        }                                                                                 \
    }

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
/// The loops of HOPBINE_TARGET.
#define HOPBINE_KERNELS                   \
    HOPBINE_REDUCTIONS(HOPBINE_KERNEL)    \
    constexpr Table kTable = [] {         \
        Table out{};                      \
        HOPBINE_REDUCTIONS(HOPBINE_NAMED) \
        return out;                       \
    }();

namespace any_processor {
#define HOPBINE_TARGET
HOPBINE_KERNELS
#undef HOPBINE_TARGET
}  // namespace any_processor

#if defined(__x86_64__) && defined(__GNUC__)
namespace avx2 {
#define HOPBINE_TARGET __attribute__((target("avx2"), optimize("O3")))
HOPBINE_KERNELS
#undef HOPBINE_TARGET
}  // namespace avx2

namespace avx512 {
#define HOPBINE_TARGET __attribute__((target("avx512f"), optimize("O3")))
HOPBINE_KERNELS
#undef HOPBINE_TARGET
}  // namespace avx512
#else
namespace avx2 = any_processor;
namespace avx512 = any_processor;
#endif

const Table& widest() {
    switch (vector_units()) {
    case VectorUnits::avx512: return avx512::kTable;
    case VectorUnits::avx2: return avx2::kTable;
    default: return any_processor::kTable;
    }
}

const Named& named(Operation op, Element e) {
    static const Table& table = widest();
    return table[index(op)][index(e)];
}

}  // namespace

Kernel kernel(Operation op, Element e) { return named(op, e).kernel; }
const char* kernel_name(Operation op, Element e) { return named(op, e).name; }

}  // namespace hopbine::mpi
