#include "mpi/state/stats.hpp"

#include "choice/job.hpp"
#include "choice/learning.hpp"
#include "mpi/state/world.hpp"
#include "runtime/log.hpp"
#include "runtime/settings.hpp"
#include "statistics/arrivals.hpp"
#include "statistics/kept_file.hpp"
#include "sums/sum_state.hpp"

namespace hopbine::mpi {

/// What all ranks have kept of their calls, on rank 0. Collective.
static std::vector<std::string> gathered_arrivals(MPI_Comm comm) {
    int ranks = 1, communicators = static_cast<int>(arrivals_here());
    PMPI_Comm_size(comm, &ranks);
    PMPI_Allreduce(MPI_IN_PLACE, &communicators, 1, MPI_INT, MPI_MAX, comm);
    return gathered(packed_arrivals(most_gathered(static_cast<std::size_t>(ranks),
                                                  static_cast<std::size_t>(communicators))),
                    comm);
}

void write_stats(const std::string& file) {
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!job().open) return file.empty() ? void() : say_once("no statistics: " + job().why_closed);
    const MPI_Comm comm = World::get().comm();
    // Settings may differ between ranks: all agree before all take part.
    int wanted[2] = {!file.empty(), file.empty()}, some[2];
    PMPI_Allreduce(wanted, some, 2, MPI_INT, MPI_MAX, comm);
    if (!some[0]) return;
    if (some[1]) return say_once("no statistics: HOPBINE_STATS is set on some ranks only");
    const RankLocation own = own_location();
    const std::vector<std::string> counts = gathered(packed_rows(), comm),
                                   nodes = gathered(own.node, comm),
                                   groups = gathered(own.group, comm),
                                   kinds = gathered(account_rows(), comm),
                                   arrivals = gathered_arrivals(comm);
    if (rank != 0) return;
    std::string rows;
    for (const std::string& one : kinds)
        if (!one.empty()) rows += (rows.empty() ? "" : ",\n  ") + one;
    const std::string kept = keep_and_write(
        file, statistics_text(counts, nodes, groups, account_json(rows), sums::about_sums(),
                              compared_arrivals(arrivals, nodes), library_version()));
    if (!kept.empty()) say(file + " was there: it is " + kept + " now");
}

void write_lessons() {
    if (!job().open)
        return settings().learned.named ? say_once("nothing is learned: " + job().why_closed)
                                        : void();
    if (job().learns)
        keep_lessons(gathered(noted_lessons(), World::get().comm()), library_version());
}

std::vector<std::string> gathered(const std::string& mine, MPI_Comm comm) {
    int rank = 0, ranks = 1;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &ranks);
    const int length = static_cast<int>(mine.size());
    std::vector<int> lengths(static_cast<std::size_t>(ranks)),
        starts(static_cast<std::size_t>(ranks) + 1, 0);
    PMPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, comm);
    for (std::size_t r = 0; r < lengths.size(); ++r) starts[r + 1] = starts[r] + lengths[r];
    std::string all(static_cast<std::size_t>(rank == 0 ? starts.back() : 0), '\0');
    PMPI_Gatherv(mine.data(), length, MPI_CHAR, all.data(), lengths.data(), starts.data(), MPI_CHAR,
                 0, comm);
    std::vector<std::string> out;
    for (std::size_t r = 0; rank == 0 && r < lengths.size(); ++r)
        out.push_back(
            all.substr(static_cast<std::size_t>(starts[r]), static_cast<std::size_t>(lengths[r])));
    return out;
}

}  // namespace hopbine::mpi
