#include "families/radix.hpp"

namespace hopbine::radix {

namespace {

/// Smallest r with r r >= p for which, from p = 8 on, no message of bruck_index is a single block.
/// Single blocks of an alltoallv have no header (mpi/alltoallv/nonuniform.hpp).
int near_root(int p) {
    int r = 2;
    while (r < p && (std::int64_t{r} * r < p || (p - 1) % r == 0)) ++r;
    return r;
}

}  // namespace

int r(const Problem& q, int p) {
    const auto given = static_cast<int>(q.get("r"));
    return given == 1 ? near_root(p) : given;
}

}  // namespace hopbine::radix
