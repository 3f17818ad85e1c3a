#include "runtime/kernels.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#define HOPBINE_VECTOR_UNITS
#endif

#include <array>

#include "device/kernels/reductions.h"

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

#ifdef HOPBINE_VECTOR_UNITS
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

/// The loops for the widest vectors that the processor and the system have. Asks the processor only
/// here: GCC's target_clones asks while the library is loaded, 80 us in a virtual machine.
const Table& widest() {
    constexpr unsigned kYmm = 0x06, kZmm = 0xe6;  // what the system saves, in XCR0
    unsigned a = 0, b = 0, c = 0, d = 0, saved = 0, upper = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE)) return any_processor::kTable;
    asm("xgetbv" : "=a"(saved), "=d"(upper) : "c"(0));
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return any_processor::kTable;
    if ((saved & kZmm) == kZmm && (b & bit_AVX512F)) return avx512::kTable;
    return (saved & kYmm) == kYmm && (b & bit_AVX2) ? avx2::kTable : any_processor::kTable;
}
#else
const Table& widest() { return any_processor::kTable; }
#endif

const Named& named(Operation op, Element e) {
    static const Table& table = widest();
    return table[index(op)][index(e)];
}

}  // namespace

Kernel kernel(Operation op, Element e) { return named(op, e).kernel; }
const char* kernel_name(Operation op, Element e) { return named(op, e).name; }

}  // namespace hopbine::mpi
