/// The functions of this folder for elements of a type that is known when a program runs.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sums/format.hpp"

namespace hopbine::sums {

struct Arithmetic {
    std::size_t bytes;  ///< of an element
    Format (*full)(int addends);
    Format (*window)(const Range& range, int addends, int slack);
    Range (*range)(const void* values, std::size_t n);
    bool (*encode)(const void* values, std::size_t n, const Format& f, std::int64_t* words);
    void (*round)(const std::int64_t* words, std::size_t n, const Format& f, void* values);
};

/// The arithmetic of floats (4 bytes) or doubles (8); null: sums of such elements are not exact.
const Arithmetic* arithmetic_of(std::size_t bytes);

}  // namespace hopbine::sums
