/// Lists of ranks as text.
#pragma once
#include <span>
#include <string>

namespace hopbine::mpi {

/// Ranks in their order as runs FIRST-LAST or FIRST-LAST/STEP: "0-3", "12-0/4,5".
std::string rank_runs(std::span<const int> ranks);

}  // namespace hopbine::mpi
