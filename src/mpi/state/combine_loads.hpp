/// Combines what the ranks have counted of the candidates, over hopbine's own messages.
#pragma once
#include <vector>

#include "mpi/execute/messages.hpp"
#include "select/shared_count.hpp"

namespace hopbine::mpi {

/// The loads of each candidate, counted by all ranks together. Collective, inside a user's call;
/// equal on all ranks. Throws Error where a message fails.
std::vector<select::Loads> count_together(const std::vector<select::Candidate>& candidates,
                                          const std::vector<select::Numbering>& numberings,
                                          int root, const select::LocatedRanks& located, int rank,
                                          const Endpoint& at);

}  // namespace hopbine::mpi
