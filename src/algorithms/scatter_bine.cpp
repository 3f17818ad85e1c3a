// Distance-halving Bine tree (Sec. 4.2): a subtree is one run on the circle of ranks.
#include "core/algorithm.hpp"
#include "core/bine.hpp"
#include "core/numbers.hpp"

namespace hopbine::registered {

Algorithm scatter_bine{
    .collective = Collective::scatter,
    .name = "bine",
    .summary = "distance-halving Bine tree",
    .paper = "Bine SC'25",
    .section = "4.2",
    .note = "any p without folding",
    .claim = [](const Problem& q) {
        return Claim{ceil_log2(q.p), std::int64_t{q.p - 1} * ceil_log2(q.p), q.p <= 2};
    },
    .make = [](const Problem& q) -> SchedulePtr {
        return tree_scatter(bine::halving_tree(q.p), q.root);
    },
};

}  // namespace hopbine::registered
