/// The line at the end of a job.
#pragma once
#include <cstdint>
#include <string>

#include "preload/call_counts.h"
#include "select/crossing.hpp"

namespace hopbine::mpi {

/// The account of a job (select::Account), seconds.
struct AccountLine {
    double in_collectives = 0;  ///< 0: nothing was measured
    double saved = 0, spent = 0;
    bool stopped = false;         ///< learning did not pay, so that the library serves
    std::int64_t uncompared = 0;  ///< calls that hopbine served, with which none of the library's
                                  ///< was compared: what they saved is not known
};

/// What rank 0 knows of a job.
struct Summary {
    call_counts counts{};
    std::string why_none;         ///< why nothing was served
    select::Crossing crossing{};  ///< no bytes: unknown, or none cross
    AccountLine account{};
    std::string stats;  ///< the statistics file; empty: none
};

/// One line without an end. It says only what was counted or measured.
std::string text(const Summary& s);

}  // namespace hopbine::mpi
