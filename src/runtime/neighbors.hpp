/// Neighbours of a rank in a process topology (MPI 4.1, Chap. 8), as its blocks have them.
#pragma once
#include <cstdint>
#include <vector>

namespace hopbine::mpi {

/// Block i is received from sources[i], or sent to destinations[i]. A negative rank is
/// MPI_PROC_NULL: such a block stays as it is.
struct Neighbors {
    std::vector<int> sources, destinations;
    /// Whether the topology is Cartesian: blocks 2d and 2d + 1 are for dimension d's neighbours in
    /// negative and in positive direction. What goes one way arrives from the other (MPI 4.1, Sec.
    /// 8.6).
    bool cartesian = false;

    /// Positions of received blocks in the order in which their senders have them. It matters where
    /// a rank is a neighbour twice: its first block then goes to the first of these.
    int matching(int k) const { return cartesian ? k ^ 1 : k; }
    int ins() const { return static_cast<int>(sources.size()); }
    int outs() const { return static_cast<int>(destinations.size()); }
};

/// What a rank sends.
enum class NeighborBlocks : std::uint8_t {
    each,  ///< a block of its own to every neighbour (neighbor_alltoallv)
    same   ///< the same block to all (neighbor_allgather)
};

}  // namespace hopbine::mpi
