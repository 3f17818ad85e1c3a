/// The loops over numbers of 16 bytes and their words: one number at a time, for programs that use
/// them have little else to wait for.
#pragma once
#include "sums/kernels.hpp"

namespace hopbine::sums {

/// Kernels for numbers of the format T, Extended or Quadruple.
template <class T>
const Kernels& wide_kernels();

}  // namespace hopbine::sums
