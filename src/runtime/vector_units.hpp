/// The vector registers of this processor.
#pragma once

namespace hopbine {

/// The widest ones that loops are compiled for. `any`: those that every processor of this kind has,
/// on aarch64 NEON.
#if defined(__aarch64__)
enum class VectorUnits { any, sve };
#else
enum class VectorUnits { any, avx2, avx512 };
#endif

/// What the processor has and the system saves. Asks only when called: GCC's target_clones asks
/// while the library is loaded, which takes 80 us in a virtual machine.
VectorUnits vector_units();

}  // namespace hopbine
