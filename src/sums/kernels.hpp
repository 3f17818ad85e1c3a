/// The loops over numbers and words, compiled for each kind of vector registers.
#pragma once
#include <cstddef>
#include <cstdint>

#include "runtime/vector_units.hpp"
#include "sums/format.hpp"

namespace hopbine::sums {

/// Loops over numbers of one type, a float or a double.
struct Kernels {
    Range (*range)(const void* values, std::size_t n);
    bool (*encode)(const void* values, std::size_t n, const Format& f, std::int64_t* words);
    void (*round)(const std::int64_t* words, std::size_t n, const Format& f, void* values);
};

/// Kernels for registers that the processor has. All give the same bits.
template <class T>
const Kernels& kernels_for(VectorUnits units);
/// Kernels for the widest registers.
template <class T>
const Kernels& kernels();

}  // namespace hopbine::sums
