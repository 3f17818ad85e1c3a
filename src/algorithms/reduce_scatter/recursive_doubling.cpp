// Recursive doubling: partners exchange what they have added up, but for the blocks of their own
// ranks. MPICH does so for operations that are not commutative.
#include "combinators/symmetric.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/integers.hpp"

namespace hopbine::registered {

Algorithm reduce_scatter_recursive_doubling{
    .collective = Collective::reduce_scatter,
    .name = "recursive_doubling",
    .summary = "all blocks but those of the ranks that are done, nearest partner first",
    .paper = "Thakur, Rabenseifner, Gropp IJHPCA'05",
    .section = "4.4",
    .ranks = Ranks::power_of_two,
    .needs_commutative = true,
    .by_name_only = true,
    .claim =
        [](const Problem& q) {
            const std::int64_t steps = floor_log2(q.p);
            return Claim{steps, q.p * (steps * q.p - (q.p - 1))};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return exchanges(
            floor_log2(q.p), Op::reduce, [](int rank, int s) { return rank ^ (1 << s); },
            [p = q.p](int rank, int s) {
                const int own = rank >> s << s;
                return BlockSet::of_runs({{0, own}, {own + (1 << s), p}});
            });
    },
};

}  // namespace hopbine::registered
