/// The vector registers of this processor.
#pragma once

namespace hopbine {

/// The widest ones that loops are compiled for.
enum class VectorUnits { any, avx2, avx512 };

/// What the processor has and the system saves. Asks only when called: GCC's target_clones asks
/// while the library is loaded, which takes 80 us in a virtual machine.
VectorUnits vector_units();

}  // namespace hopbine
