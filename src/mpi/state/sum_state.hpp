/// What exact sums keep of a communicator between its blocking calls.
#pragma once
#include <array>

#include "runtime/memory.hpp"
#include "sums/format.hpp"

namespace hopbine::mpi {

struct SumState {
    /// The window of the last call, of floats and of doubles. The same on all ranks.
    std::array<sums::Format, 2> windows;
    std::array<unsigned, 2> uses{};  ///< of each since the ranks agreed on it
    Scratch words, result;
    void trim() {
        words.trim();
        result.trim();
    }
};

}  // namespace hopbine::mpi
