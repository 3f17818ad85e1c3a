/// The functions of this folder for elements of a type that is known when a program runs.
#pragma once
#include <cstddef>

#include "sums/format.hpp"
#include "sums/kernels.hpp"

namespace hopbine::sums {

struct Arithmetic : Kernels {
    std::size_t bytes;  ///< of an element
    Format (*full)(int addends);
    Format (*window)(const Range& range, int addends, int slack);
};

/// The arithmetic of floats (4 bytes) or doubles (8); null: sums of such elements are not exact.
const Arithmetic* arithmetic_of(std::size_t bytes);

}  // namespace hopbine::sums
