#include "select/classic.hpp"

#include <limits>

namespace hopbine::select {

const std::vector<Classic>& classics() {
    constexpr double kAny = std::numeric_limits<double>::infinity(), kKiB = 1024;
    using enum Collective;
    static const std::vector<Classic> table = {
        {bcast, 16 * kKiB, "binomial_halving"},
        {bcast, kAny, "scatter_allgather"},
        {bcast, kAny, "scatter_ring"},
        {reduce, 16 * kKiB, "binomial_halving"},
        {reduce, kAny, "rabenseifner"},
        {reduce, kAny, "binomial_halving"},
        {allreduce, 4 * kKiB, "recursive_doubling"},
        {allreduce, kAny, "rabenseifner"},
        {reduce_scatter, kAny, "recursive_halving"},
        {scatter, kAny, "binomial_halving"},
        {gather, kAny, "binomial_halving"},
        {allgather, 512 * kKiB, "recursive_doubling"},
        {allgather, 512 * kKiB, "bruck"},
        {allgather, kAny, "ring"},
        {alltoall, 2 * kKiB, "bruck"},
        {alltoall, kAny, "pairwise"},
        {alltoallv, kAny, "scattered"},
        {barrier, kAny, "dissemination"},
        {scan, kAny, "recursive_doubling"},
        {exscan, kAny, "recursive_doubling"},
    };
    return table;
}

const Algorithm& classic(Collective c, int p, double bytes) {
    for (const Classic& row : classics()) {
        if (row.collective != c || bytes > row.most_bytes) continue;
        const Algorithm& a = algorithm_named(c, row.algorithm);
        if (fits(a, p)) return a;
    }
    throw Error(std::string("no classic algorithm for ") + name(c));
}

}  // namespace hopbine::select
