/// Default algorithms of MPI libraries, from the literature: the baseline of bytes between groups.
///
/// An MPI library does not tell which algorithm it used, so a call is compared with the classic one
/// of its collective and size (Thakur, Rabenseifner, Gropp IJHPCA'05; Bine SC'25, Sec. 5).
#pragma once
#include <vector>

#include "schedule/algorithm.hpp"

namespace hopbine::select {

/// A collective's classic algorithm up to a size.
struct Classic {
    Collective collective;
    double most_bytes;
    const char* algorithm;
};

/// Rows of a collective are together; the first that fits the size and the ranks is taken.
const std::vector<Classic>& classics();
/// The classic algorithm for `bytes` (the vector, or a block times p) on p ranks.
const Algorithm& classic(Collective c, int p, double bytes);

}  // namespace hopbine::select
