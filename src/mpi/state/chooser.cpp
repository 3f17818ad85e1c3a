#include "mpi/state/chooser.hpp"

#include <algorithm>
#include <cmath>

#include "mpi/state/stats.hpp"

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

}  // namespace

Chooser::Chooser(const select::LocatedRanks& located)
    : located_(located), numberings_(select::numberings(*located.placement)) {
    const int p = static_cast<int>(located.placement->group.size()), n = located_.nodes.count();
    useful_ = located_.groups.count() > 1 || (n > 1 && n < p);
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
    // The data that every rank needs: totals for the reasons, then the choices.
    Numbers told(out.candidates.size() * select::kTotals + out.best.size() * select::kSizeClasses);
    if (rank == 0) {
        std::size_t at_sum = 0, at_peak = 0, at = 0;
        for (select::Loads& one : loads) {
            take(sums, at_sum, one.groups);
            take(sums, at_sum, one.totals);
            take(peaks, at_peak, one.peaks);
            for (std::int64_t x : one.totals) told[at++] = x;
        }
        for (const Operands operands : {Operands::in_order, Operands::commute, Operands::exact})
            for (int k = 0; k < select::kSizeClasses; ++k)
                told[at++] = select::choose_by_cost(out.candidates, loads, net, located_,
                                                    std::ldexp(1.0, k - 1), operands)
                                 .candidate;  // the largest size of its class
    }
    PMPI_Bcast(told.data(), static_cast<int>(told.size()), MPI_INT64_T, 0, comm);
    std::size_t at = 0;
    for (select::Loads& one : loads) {
        take(told, at, one.totals);
        out.why.push_back(select::reason(one, located_));
    }
    for (auto& by_size : out.best)
        for (int& best : by_size) best = static_cast<int>(told[at++]);
    return out;
}

void Chooser::prepare(Collective c, int root, const select::LinkCosts& net, MPI_Comm comm) {
    if (!tables_.contains(c)) tables_.emplace(c, count(c, rooted(c) ? root : 0, net, comm));
}

Chooser::Pick Chooser::pick(Collective c, std::int64_t bytes, int root, Operands operands,
                            const select::LinkCosts& net, MPI_Comm comm) {
    prepare(c, root, net, comm);
    const Table& t = tables_.at(c);
    const int k = std::min(size_class(bytes), select::kSizeClasses - 1),
              best = t.best[static_cast<std::size_t>(operands)][static_cast<std::size_t>(k)];
    if (best < 0) return {};
    const select::Candidate& one = t.candidates[static_cast<std::size_t>(best)];
    return {&one, t.why[static_cast<std::size_t>(best)]};
}

}  // namespace hopbine::mpi
