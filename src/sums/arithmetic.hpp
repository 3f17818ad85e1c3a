/// The functions of this folder for elements of a type that is known when a program runs.
#pragma once
#include <cstddef>

#include "sums/format.hpp"
#include "sums/kernels.hpp"

namespace hopbine::sums {

struct Arithmetic : Kernels {
    std::size_t bytes;  ///< of an element
    std::size_t kind;   ///< below kArithmetics
    Format (*full)(int addends);
    Format (*window)(const Range& range, int addends, int slack);
};

/// How many there are: of binary32, binary64, x87's extended precision, and binary128.
inline constexpr std::size_t kArithmetics = 4;
/// The arithmetic of IEEE's numbers of so many bytes; null: sums of such are not exact.
const Arithmetic* arithmetic_of(std::size_t bytes);
/// The arithmetic of the compiler's long double; null: it is none of the four.
const Arithmetic* arithmetic_of_long_double();

}  // namespace hopbine::sums
