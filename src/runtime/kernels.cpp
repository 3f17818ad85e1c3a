#include "runtime/kernels.hpp"

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

/// Loops become vector instructions at any level of optimisation that the build has.
#define HOPBINE_VECTORISED __attribute__((optimize("O3")))

namespace any_processor {
#define HOPBINE_TARGET HOPBINE_VECTORISED
HOPBINE_KERNELS
#undef HOPBINE_TARGET
}  // namespace any_processor

#if defined(__x86_64__) && defined(__GNUC__)
namespace avx2 {
#define HOPBINE_TARGET __attribute__((target("avx2"))) HOPBINE_VECTORISED
HOPBINE_KERNELS
#undef HOPBINE_TARGET
}  // namespace avx2

namespace avx512 {
#define HOPBINE_TARGET __attribute__((target("avx512f"))) HOPBINE_VECTORISED
HOPBINE_KERNELS
#undef HOPBINE_TARGET
}  // namespace avx512

const Table& table_for(VectorUnits units) {
    return units == VectorUnits::avx512 ? avx512::kTable
           : units == VectorUnits::avx2 ? avx2::kTable
                                        : any_processor::kTable;
}
#elif defined(__aarch64__) && defined(__GNUC__)
namespace sve {
#define HOPBINE_TARGET __attribute__((target("+sve"))) HOPBINE_VECTORISED
HOPBINE_KERNELS
#undef HOPBINE_TARGET
}  // namespace sve

const Table& table_for(VectorUnits units) {
    return units == VectorUnits::sve ? sve::kTable : any_processor::kTable;
}
#else
const Table& table_for(VectorUnits) { return any_processor::kTable; }
#endif

const Named& named(const Table& table, Operation op, Element e) {
    return table[index(op)][index(e)];
}

const Table& widest() {
    static const Table& table = table_for(vector_units());
    return table;
}

}  // namespace

Kernel kernel_for(VectorUnits units, Operation op, Element e) {
    return named(table_for(units), op, e).kernel;
}
Kernel kernel(Operation op, Element e) { return named(widest(), op, e).kernel; }
/// The name is the same on any processor: to ask for the vector units of this one takes 45 us in a
/// virtual machine.
const char* kernel_name(Operation op, Element e) {
    return named(any_processor::kTable, op, e).name;
}

}  // namespace hopbine::mpi
