/// Vectorised inner loops of reductions, independent of mpi.h.
#pragma once
#include <cstddef>

#include "runtime/vector_units.hpp"

namespace hopbine::mpi {

enum class Operation {
    sum,
    product,
    minimum,
    maximum,
    logical_and,
    logical_or,
    logical_xor,
    bit_and,
    bit_or,
    bit_xor
};
enum class Element { i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, f16, bf16 };
constexpr bool is_floating(Element e) { return e >= Element::f32; }

/// inout[i] = in[i] op inout[i] for n elements; the buffers do not overlap.
using Kernel = void (*)(const void* in, void* inout, std::size_t n);
/// The kernel of an operation; null where it does not apply to the element, as bits to floating
/// point.
Kernel kernel(Operation op, Element e);
/// The kernel for vector registers that the processor has. All give the same bits, but for those of
/// a NaN.
Kernel kernel_for(VectorUnits units, Operation op, Element e);
/// The name of the same kernel on a device, as sum_f32; null as above.
const char* kernel_name(Operation op, Element e);

}  // namespace hopbine::mpi
