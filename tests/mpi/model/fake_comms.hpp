/// Communicators of the fake MPI.
#pragma once
#include <mpi.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace model {

/// A collective of the MPI library itself: what each rank gives.
struct Gathering {
    std::string kind;
    std::vector<std::vector<char>> given;
    int arrived = 0;
    bool complete() const { return arrived == static_cast<int>(given.size()); }
};

struct Comm {
    int number = 0;                                   ///< never the same again
    std::vector<int> members;                         ///< ranks in MPI_COMM_WORLD
    std::vector<int> shape;                           ///< Cartesian; empty: it is not
    std::map<std::pair<int, int>, void*> attributes;  ///< by rank in MPI_COMM_WORLD and key
    std::map<int, int> made, freed;                   ///< by rank: communicators made from it
    std::vector<MPI_Comm> children;
    std::map<int, std::size_t> collectives;  ///< by rank: their number so far
    std::vector<std::shared_ptr<Gathering>> gatherings;

    int rank() const;  ///< of the one that calls
    int size() const { return static_cast<int>(members.size()); }
};

/// The communicator of a handle, as this rank sees it.
Comm& comm_of(MPI_Comm handle);
/// Takes part in the next collective of the communicator.
std::shared_ptr<Gathering> take_part(Comm& comm, const std::string& kind, const void* data,
                                     std::int64_t bytes);
/// Bytes of n elements of a predefined datatype.
std::int64_t bytes_of(std::int64_t n, MPI_Datatype type);

}  // namespace model
