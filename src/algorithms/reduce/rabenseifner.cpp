// Rabenseifner: vector-halving distance-doubling reduce_scatter, then binomial gather to the root.
#include "combinators/combinators.hpp"
#include "combinators/subset.hpp"
#include "combinators/symmetric.hpp"
#include "families/exchange/butterfly.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/integers.hpp"

namespace hopbine::registered {

namespace {

/// The 2^floor(log2 p) ranks left after folding. Of each folded pair one rank stays, the root if it
/// is in the pair.
struct Core {
    int ranks, extra, root;
    explicit Core(const Problem& q)
        : ranks(1 << floor_log2(q.p)),
          extra(q.p - ranks),
          root(q.root < 2 * extra ? q.root / 2 : q.root - extra) {}
};

}  // namespace

Algorithm reduce_rabenseifner{
    .collective = Collective::reduce,
    .name = "rabenseifner",
    .summary = "reduce_scatter, then binomial gather",
    .paper = "Thakur, Rabenseifner, Gropp IJHPCA'05",
    .section = "4.5",
    .needs_commutative = true,
    .note = "p not a power of two folds before, which moves whole vectors of the ranks folded on",
    .claim =
        [](const Problem& q) {
            const Core core(q);
            const int S = floor_log2(q.p);
            std::int64_t gathered = 0;  // window i is at the rank with the reversed bits of i; each
                                        // bit that differs from the root's is a hop
            const auto starts = butterfly::even(core.ranks, q.p);
            for (int i = 0; i < core.ranks; ++i)
                gathered += (starts[static_cast<std::size_t>(i) + 1] -
                             starts[static_cast<std::size_t>(i)]) *
                            std::popcount(static_cast<unsigned>(i ^ bits_reversed(core.root, S)));
            return Claim{2 * S + (core.extra > 0),
                         std::int64_t{q.p} * (core.extra + core.ranks - 1) + gathered};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const Core core(q);
        const auto starts = butterfly::even(core.ranks, q.p);
        const SchedulePtr inner =
            sequence({butterfly::doubling(starts), butterfly::gather(starts, core.root)});
        if (core.extra == 0) return inner;
        const auto stays = [root = q.root, paired = 2 * core.extra](int rank) {
            return rank >= paired || rank == root || (rank % 2 == 1 && (rank ^ 1) != root);
        };
        std::vector<int> members;
        for (int rank = 0; rank < q.p; ++rank)
            if (stays(rank)) members.push_back(rank);
        const SchedulePtr before = exchanges(
            1, Op::reduce, [](int rank, int) { return rank ^ 1; },
            [stays, p = q.p](int rank, int) {
                return !stays(rank) ? BlockSet::range(0, p) : BlockSet();
            });
        return sequence({before, on_subset(inner, std::move(members), q.p)});
    },
};

}  // namespace hopbine::registered
