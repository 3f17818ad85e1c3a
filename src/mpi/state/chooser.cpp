#include "mpi/state/chooser.hpp"

#include <algorithm>
#include <cmath>

#include "select/size_class.hpp"

namespace hopbine::mpi {

namespace {

using Numbers = std::vector<std::int64_t>;

/// Combines `mine` of all ranks on rank 0.
void combine(Numbers& mine, MPI_Op op, MPI_Comm comm, int rank) {
    PMPI_Reduce(rank == 0 ? MPI_IN_PLACE : mine.data(), mine.data(), static_cast<int>(mine.size()),
                MPI_INT64_T, op, 0, comm);
}

void append(Numbers& all, const Numbers& part) { all.insert(all.end(), part.begin(), part.end()); }

void take(const Numbers& all, std::size_t& at, Numbers& part) {
    std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(at), part.size(), part.begin());
    at += part.size();
}

constexpr std::size_t kNumbersOfBest = select::kShortlist + 1;

/// Writes what every rank needs: totals for the reasons, then the candidates of each operand order
/// and size class.
void tell(const select::Costed& costed, Numbers& told) {
    std::size_t at = 0;
    for (const select::Loads& one : costed.loads)
        for (std::int64_t x : one.totals) told[at++] = x;
    for (const Operands operands : {Operands::in_order, Operands::commute, Operands::exact})
        for (int k = 0; k < select::kSizeClasses; ++k, at += kNumbersOfBest) {
            const double bytes = std::ldexp(1.0, k - 1);  // the largest size of its class
            const std::vector<int> best = select::shortlist(costed, bytes, operands);
            const auto to = told.begin() + static_cast<std::ptrdiff_t>(at);
            std::fill_n(to, select::kShortlist, -1);
            std::ranges::copy(best, to);
            to[select::kShortlist] =
                !best.empty() && select::bound_by_links(costed, best.front(), bytes);
        }
}

}  // namespace

Chooser::Chooser(const select::LocatedRanks& located, double patience)
    : located_(located), patience_(patience), numberings_(select::numberings(*located.placement)) {
    useful_ = select::can_be_scarce(located_);
}

Chooser::Table Chooser::count(Collective c, int root, const select::LinkCosts& net,
                              MPI_Comm comm) const {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    const int node = located_.nodes.of(rank), mates = located_.nodes.size(node),
              me = located_.nodes.index(rank);
    Table out;
    out.candidates = select::candidates(c, *located_.placement, numberings_);
    std::vector<select::Loads> loads;
    Numbers sums, peaks;
    // The ranks of a node share the candidates, each counting for the whole node: loads of nodes
    // need no further sum.
    for (std::size_t i = 0; i < out.candidates.size(); ++i) {
        const select::Candidate& one = out.candidates[i];
        const bool mine = static_cast<int>(i) % mates == me;
        loads.push_back(select::measure(one, numberings_[static_cast<std::size_t>(one.numbering)],
                                        root, located_,
                                        mine ? std::vector{node} : std::vector<int>{}));
        append(sums, loads.back().groups);
        append(sums, loads.back().totals);
        append(peaks, loads.back().peaks);
    }
    combine(sums, MPI_SUM, comm, rank);
    combine(peaks, MPI_MAX, comm, rank);
    Numbers told(out.candidates.size() * select::kTotals +
                 out.best.size() * select::kSizeClasses * kNumbersOfBest);
    if (rank == 0) {
        std::size_t at_sum = 0, at_peak = 0;
        for (select::Loads& one : loads) {
            take(sums, at_sum, one.groups);
            take(sums, at_sum, one.totals);
            take(peaks, at_peak, one.peaks);
        }
        tell({out.candidates, loads, net, located_, patience_}, told);
    }
    PMPI_Bcast(told.data(), static_cast<int>(told.size()), MPI_INT64_T, 0, comm);
    std::size_t at = 0;
    for (select::Loads& one : loads) {
        take(told, at, one.totals);
        out.why.push_back(select::reason(one, located_));
    }
    for (auto& by_size : out.best)
        for (Best& best : by_size) {
            for (int& candidate : best.candidates) candidate = static_cast<int>(told[at++]);
            best.sure = told[at++] != 0;
        }
    return out;
}

void Chooser::prepare(Collective c, int root, const select::LinkCosts& net, MPI_Comm comm) {
    if (!tables_.contains(c)) tables_.emplace(c, count(c, rooted(c) ? root : 0, net, comm));
}

Chooser::Shortlist Chooser::shortlist(Collective c, std::int64_t bytes, int root, Operands operands,
                                      const select::LinkCosts& net, MPI_Comm comm) {
    prepare(c, root, net, comm);
    const Table& t = tables_.at(c);
    const int k = std::min(select::size_class(bytes), select::kSizeClasses - 1);
    const Best& best = t.best[static_cast<std::size_t>(operands)][static_cast<std::size_t>(k)];
    Shortlist out;
    for (int i : best.candidates) {
        if (i < 0) break;
        const select::Candidate& one = t.candidates[static_cast<std::size_t>(i)];
        out.best.push_back(
            {{one.algorithm, one.parameters, t.why[static_cast<std::size_t>(i)], true, {}},
             &numberings_[static_cast<std::size_t>(one.numbering)]});
    }
    out.sure = best.sure;
    return out;
}

}  // namespace hopbine::mpi
