#include "choice/chooser.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <tuple>

#include "select/size_class.hpp"

namespace hopbine::mpi {

namespace {

/// So few ranks count each for itself: that takes 0.1 ms at most (benchmarks/choice_count.cpp), and
/// messages to divide it take as long where ranks share cores.
constexpr int kMostAlone = 16;

}  // namespace

Chooser::Chooser(const select::LocatedRanks& located, double patience, bool nonblocking)
    : located_(located),
      patience_(patience),
      nonblocking_(nonblocking),
      numberings_(select::numberings(*located.placement)) {
    useful_ = select::can_be_scarce(located_);
}

void Chooser::prepare(Collective c, int root, Members& by) {
    if (tables_.contains(c)) return;
    std::shared_ptr<Counted>& t = tables_[c];
    if (by.size <= kMostAlone) {
        t = counted_alone(c, rooted(c) ? root : 0);
        return;
    }
    auto counted = std::make_shared<Counted>();
    counted->candidates = candidates(c);
    counted->loads = count_together(counted->candidates, numberings_, rooted(c) ? root : 0, by);
    t = std::move(counted);
}

std::vector<select::Candidate> Chooser::candidates(Collective c) const {
    return select::candidates(c, *located_.placement, numberings_, located_.torus.shape(),
                              nonblocking_);
}

/// Counts without the other ranks. Ranks in the same places, as those of other communicators, have
/// the same counts and choices: they are kept for the job.
std::shared_ptr<Chooser::Counted> Chooser::counted_alone(Collective c, int root) const {
    using Places =
        std::tuple<Collective, int, bool, std::vector<int>, std::vector<int>, std::vector<int>>;
    static std::mutex lock;
    static std::map<Places, std::shared_ptr<Counted>> known;
    const std::lock_guard hold(lock);
    auto& found = known[{c, root, nonblocking_, located_.placement->group, located_.placement->node,
                         located_.torus.shape()}];
    if (found) return found;
    auto counted = std::make_shared<Counted>();
    counted->candidates = candidates(c);
    for (const select::Candidate& one : counted->candidates)
        counted->loads.push_back(select::measure(
            one, numberings_[static_cast<std::size_t>(one.numbering)], root, located_));
    return found = std::move(counted);
}

const Chooser::Best& Chooser::best(Counted& all, int size_class, Operands operands,
                                   const select::LinkCosts& net) const {
    const std::lock_guard hold(all.lock);
    const auto [at, fresh] = all.best.try_emplace({operands, size_class});
    if (fresh) {
        const select::Costed costed{all.candidates, all.loads, net,
                                    located_,       patience_, nonblocking_};
        const double bytes = std::ldexp(1.0, size_class - 1);  // the largest size of its class
        Best& best = at->second;
        best.candidates = select::shortlist(costed, bytes, operands);
        best.sure = !best.candidates.empty() &&
                    select::bound_by_links(costed, best.candidates.front(), bytes);
        if (best.sure) {
            for (const int one : best.candidates)
                best.seconds.push_back(select::seconds(costed, one, bytes));
            best.classic = select::classic_seconds(costed, bytes);
        }
    }
    return at->second;
}

Chooser::Shortlist Chooser::shortlist(Collective c, std::int64_t bytes, int root, Operands operands,
                                      const select::LinkCosts& net, Members& by) {
    prepare(c, root, by);
    Counted& all = *tables_.at(c);
    const Best& found =
        best(all, std::min(select::size_class(bytes), select::kSizeClasses - 1), operands, net);
    Shortlist out;
    for (int i : found.candidates) {
        const auto at = static_cast<std::size_t>(i);
        const select::Candidate& one = all.candidates[at];
        out.best.push_back(
            {{one.algorithm, one.parameters, select::reason(all.loads[at], located_), true, {}},
             &numberings_[static_cast<std::size_t>(one.numbering)]});
    }
    out.sure = found.sure;
    out.seconds = found.seconds;
    out.classic = found.classic;
    return out;
}

}  // namespace hopbine::mpi
