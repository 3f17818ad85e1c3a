/// The line at the end of a job.
#pragma once
#include <cstdint>
#include <string>

#include "mpi/state/call_counts.h"
#include "select/crossing.hpp"

namespace hopbine::mpi {

/// Calls of kinds in which the MPI library and others have taken turns, since one of them stands.
struct MeasuredCalls {
    std::int64_t calls = 0, by_library = 0;  ///< all; those of kinds that the library serves
    double seconds = 0, library_seconds = 0;
};

/// What rank 0 knows of a job.
struct Summary {
    call_counts counts{};
    std::string why_none;         ///< why nothing was served
    select::Crossing crossing{};  ///< no bytes: unknown, or none cross
    MeasuredCalls measured{};
    std::string stats;  ///< the statistics file; empty: none
};

/// One line without an end. It says only what was counted or measured.
std::string text(const Summary& s);

}  // namespace hopbine::mpi
