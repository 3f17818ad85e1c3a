// Recursive halving, farthest partner first.
#include "combinators/combinators.hpp"
#include "families/exchange/butterfly.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/integers.hpp"

namespace hopbine::registered {

Algorithm reduce_scatter_recursive_halving{
    .collective = Collective::reduce_scatter,
    .name = "recursive_halving",
    .summary = "recursive halving",
    .paper = "Thakur, Rabenseifner, Gropp IJHPCA'05",
    .section = "4.4",
    .needs_commutative = true,
    .note = "p not a power of two folds, which moves whole vectors of the ranks folded on",
    .claim =
        [](const Problem& q) {
            const std::int64_t core = std::int64_t{1} << floor_log2(q.p), extra = q.p - core;
            return Claim{floor_log2(q.p) + (extra ? 2 : 0), (core - 1) * q.p + extra * (q.p + 1)};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        // A folded pair covers both of its blocks; the even rank receives its own block at the end.
        const int core = 1 << floor_log2(q.p), extra = q.p - core;
        butterfly::Starts starts;
        for (int i = 0; i <= core; ++i) starts.push_back(i < extra ? 2 * i : i + extra);
        return folded(butterfly::halving(starts), q.p,
                      [](int rank) { return BlockSet::single(rank); });
    },
};

}  // namespace hopbine::registered
