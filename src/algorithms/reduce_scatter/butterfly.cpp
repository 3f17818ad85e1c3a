// Vector halving, distance doubling, nearest partner first; then every rank exchanges what it has
// with the rank whose number has its bits in reverse order. Open MPI's butterfly.
#include "families/exchange/butterfly.hpp"

#include "combinators/combinators.hpp"
#include "combinators/symmetric.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/integers.hpp"

namespace hopbine::registered {

namespace {

/// The ranks left after folding, each with the blocks of a pair or of one rank.
struct Halved {
    int steps, core, extra;
    butterfly::Starts starts;
    explicit Halved(int p) : steps(floor_log2(p)), core(1 << steps), extra(p - core) {
        for (int i = 0; i <= core; ++i) starts.push_back(i < extra ? 2 * i : i + extra);
    }
};

/// Blocks of one of them.
BlockSet window(const butterfly::Starts& starts, int i) {
    const auto at = static_cast<std::size_t>(i);
    return BlockSet::range(starts[at], starts[at + 1]);
}

}  // namespace

Algorithm reduce_scatter_butterfly{
    .collective = Collective::reduce_scatter,
    .name = "butterfly",
    .summary = "vector halving, nearest partner first, then blocks to their ranks",
    .paper = "Träff EuroPVM/MPI'05",
    .section = "3",
    .needs_commutative = true,
    .note = "p not a power of two folds, which moves whole vectors of the ranks folded on",
    .claim =
        [](const Problem& q) {
            const Halved h(q.p);
            std::int64_t handed_over = 0;
            for (int i = 0; i < h.core; ++i)
                if (bits_reversed(i, h.steps) != i) handed_over += window(h.starts, i).size();
            return Claim{h.steps + (handed_over > 0) + (h.extra ? 2 : 0),
                         std::int64_t{h.core - 1} * q.p + handed_over + h.extra * (q.p + 1)};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        const Halved h(q.p);
        SchedulePtr inner = butterfly::doubling(h.starts);
        if (h.steps > 1)
            inner = sequence(
                {inner, exchanges(
                            1, Op::copy,
                            [steps = h.steps](int rank, int) { return bits_reversed(rank, steps); },
                            [steps = h.steps, starts = h.starts](int rank, int) {
                                const int to = bits_reversed(rank, steps);
                                return to == rank ? BlockSet() : window(starts, to);
                            })});
        return folded(inner, q.p, [](int rank) { return BlockSet::single(rank); });
    },
};

}  // namespace hopbine::registered
