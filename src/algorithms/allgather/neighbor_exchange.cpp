// Neighbor exchange: a rank exchanges two blocks with its right and its left neighbour in turn.
#include "combinators/combinators.hpp"
#include "combinators/symmetric.hpp"
#include "families/claims.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/integers.hpp"

namespace hopbine::registered {

Algorithm allgather_neighbor_exchange{
    .collective = Collective::allgather,
    .name = "neighbor_exchange",
    .summary = "swaps with both neighbours in turn, p/2 steps",
    .paper = "Chen et al. HPC Asia'05",
    .section = "neighbor exchange",
    .ranks = Ranks::even,
    .note = "even p only; p = 1 has nothing to do",
    .claim = [](const Problem& q) { return claims::all_blocks_once(q, q.p / 2); },
    .make = [](const Problem& q) -> SchedulePtr {
        // Even ranks exchange to the right in even steps and to the left in odd ones. Odd ranks
        // mirror them.
        const auto partner = [p = q.p](int rank, int s) {
            return mod(rank + ((rank + s) % 2 == 0 ? 1 : -1), p);
        };
        // From step 1 on a rank forwards a pair of blocks s/2 pairs away. An even rank finds it to
        // its right in odd steps and to its left in even ones; odd ranks mirror this.
        const auto sent = [p = q.p](int rank, int s) {
            if (s == 0) return BlockSet::single(rank);
            const int pair = rank / 2 + ((rank + s) % 2 == 0 ? -1 : 1) * (s / 2);
            return BlockSet::circular(mod(2 * pair, p), 2, p);
        };
        return with_symmetry(exchanges(q.p / 2, Op::copy, partner, sent), 2,
                             [](int s) { return s < 3 ? s : 2 - s % 2; });
    },
};

}  // namespace hopbine::registered
