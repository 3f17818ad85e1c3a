/// The loops over numbers and words, compiled for each kind of vector registers.
#pragma once
#include <cstddef>
#include <cstdint>

#include "runtime/vector_units.hpp"
#include "sums/format.hpp"

namespace hopbine::sums {

/// Loops over numbers of type T, a float or a double.
template <class T>
struct Kernels {
    Range (*range)(const T* values, std::size_t n);
    bool (*encode)(const T* values, std::size_t n, const Format& f, std::int64_t* words);
    void (*round)(const std::int64_t* words, std::size_t n, const Format& f, T* values);
};

/// Kernels for registers that the processor has. All give the same bits.
template <class T>
const Kernels<T>& kernels_for(VectorUnits units);
/// Kernels for the widest registers.
template <class T>
const Kernels<T>& kernels();

}  // namespace hopbine::sums
