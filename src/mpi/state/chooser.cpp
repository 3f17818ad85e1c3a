#include "mpi/state/chooser.hpp"

#include <algorithm>
#include <cmath>

#include "mpi/state/combine_loads.hpp"
#include "select/size_class.hpp"

namespace hopbine::mpi {

Chooser::Chooser(const select::LocatedRanks& located, double patience, bool nonblocking)
    : located_(located),
      patience_(patience),
      nonblocking_(nonblocking),
      numberings_(select::numberings(*located.placement)) {
    useful_ = select::can_be_scarce(located_);
}

void Chooser::prepare(Collective c, int root, const Calling& by) {
    if (tables_.contains(c)) return;
    Table& t = tables_[c];
    t.candidates = select::candidates(c, *located_.placement, numberings_, located_.torus.shape(),
                                      nonblocking_);
    t.loads = count_together(t.candidates, numberings_, rooted(c) ? root : 0, located_, by.rank,
                             by.endpoint);
}

const Chooser::Best& Chooser::best(Table& t, int size_class, Operands operands,
                                   const select::LinkCosts& net) const {
    const auto [at, fresh] = t.best.try_emplace({operands, size_class});
    if (fresh) {
        const select::Costed costed{t.candidates, t.loads, net, located_, patience_, nonblocking_};
        const double bytes = std::ldexp(1.0, size_class - 1);  // the largest size of its class
        Best& best = at->second;
        best.candidates = select::shortlist(costed, bytes, operands);
        best.sure = !best.candidates.empty() &&
                    select::bound_by_links(costed, best.candidates.front(), bytes);
    }
    return at->second;
}

Chooser::Shortlist Chooser::shortlist(Collective c, std::int64_t bytes, int root, Operands operands,
                                      const select::LinkCosts& net, const Calling& by) {
    prepare(c, root, by);
    Table& t = tables_.at(c);
    const Best& found =
        best(t, std::min(select::size_class(bytes), select::kSizeClasses - 1), operands, net);
    Shortlist out;
    for (int i : found.candidates) {
        const auto at = static_cast<std::size_t>(i);
        const select::Candidate& one = t.candidates[at];
        out.best.push_back(
            {{one.algorithm, one.parameters, select::reason(t.loads[at], located_), true, {}},
             &numberings_[static_cast<std::size_t>(one.numbering)]});
    }
    out.sure = found.sure;
    return out;
}

}  // namespace hopbine::mpi
