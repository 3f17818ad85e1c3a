/// What exact sums keep: of a communicator between its blocking calls, and for statistics.
#pragma once
#include <array>
#include <cstdint>
#include <string>

#include "runtime/memory.hpp"
#include "sums/arithmetic.hpp"

namespace hopbine::sums {

/// A communicator's windows, and the memory of its calls.
struct SumState {
    SumState();
    SumState(const SumState&) = delete;
    SumState& operator=(const SumState&) = delete;
    ~SumState();

    std::int64_t calls = 0;  ///< blocking ones, whose sums were exact
    /// The window of the last call, of each kind of numbers. The same on all ranks.
    std::array<Format, kArithmetics> windows;
    std::array<unsigned, kArithmetics> uses{};  ///< of each since the ranks agreed on it
    mpi::Scratch words, result;
    void trim() {
        words.trim();
        result.trim();
    }
};

/// The calls of all communicators of this process. Called when none is under way.
std::int64_t exact_blocking_calls();

/// A value in JSON, on world rank 0: null where sums need not be exact. Set before write_stats().
inline std::string& about_sums() {
    static std::string& text = *new std::string("null");
    return text;
}

}  // namespace hopbine::sums
