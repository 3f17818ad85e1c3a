#include "mpi/state/gathered.hpp"

namespace hopbine::mpi {

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
