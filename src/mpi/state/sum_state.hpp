/// What exact sums keep: of a communicator between its blocking calls, and for statistics.
#pragma once
#include <array>
#include <string>

#include "runtime/memory.hpp"
#include "sums/format.hpp"

namespace hopbine::mpi {

/// A communicator's windows, and the memory of its calls.
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

/// A value in JSON, on world rank 0: null where sums need not be exact. Set before write_stats().
inline std::string& about_sums() {
    static std::string& text = *new std::string("null");
    return text;
}

}  // namespace hopbine::mpi
