/// An intercepted call, with int or MPI_Count counts.
#pragma once
#include <mpi.h>

#include <cstdint>

#include "runtime/array.hpp"
#include "runtime/neighbors.hpp"
#include "schedule/problem.hpp"

namespace hopbine::mpi {

class Memory;
class Mirror;

struct Call {
    Collective collective;
    const void* send = nullptr;
    std::int64_t send_count = 0;
    MPI_Datatype send_type = MPI_DATATYPE_NULL;
    void* recv = nullptr;
    std::int64_t recv_count = 0;
    MPI_Datatype recv_type = MPI_DATATYPE_NULL;
    Array counts = {};  ///< reduce_scatter; allgatherv, gatherv, alltoallv: of the receive buffer
    Array displacements =
        {};  ///< allgatherv, gatherv, alltoallv: of the receive buffer, in extents
    Array send_counts = {}, send_displacements = {};  ///< scatterv, alltoallv
    MPI_Op op = MPI_OP_NULL;
    int root = 0;
    bool varies = false;  ///< only both ends know a block's size: gatherv, scatterv, alltoallv
    /// A neighbourhood collective: of blocks as in an alltoallv, or an allgather.
    bool among_neighbors = false;
    MPI_Comm comm = MPI_COMM_NULL;
    /// Made by hopbine's own function: hopbine serves it wherever it can.
    bool by_name = false;
    const Neighbors* neighbors = nullptr;  ///< of a neighbourhood collective; set when it is served
    /// The device that has all of this rank's buffers and works on them; null: the CPU works.
    Memory* device = nullptr;
    /// Has buffers of this rank that arrive from a device during the call; null: all are here.
    Mirror* mirror = nullptr;

    NeighborBlocks neighbor_blocks() const {
        return collective == Collective::allgather ? NeighborBlocks::same : NeighborBlocks::each;
    }
    /// Number of blocks in a buffer of blocks, on a communicator of `size` ranks.
    int sent_blocks(int size) const { return neighbors ? neighbors->outs() : size; }
    int received_blocks(int size) const { return neighbors ? neighbors->ins() : size; }
};

/// Whether a rank has a result, or a contribution in its place: the first rank of an exclusive
/// prefix sum has none (MPI 4.1, Sec. 6.11.2).
inline bool uses_result(const Call& c, int rank) {
    return rank > 0 || spec(c.collective).summed != Summed::below || c.send == MPI_IN_PLACE;
}

/// A gather or scatter: a buffer of all blocks at the root, a buffer of its own block on each rank.
struct RootedCall {
    bool gathers, root;
    const void *all, *own;
    std::int64_t all_count, own_count;  ///< elements of a block
    Array counts, displacements;        ///< of all blocks; null for equal blocks
    bool in_place;                      ///< the root's own block stays where it is

    RootedCall(const Call& c, int rank)
        : gathers(spec(c.collective).after == Owner::root),
          root(rank == c.root),
          all(gathers ? c.recv : c.send),
          own(gathers ? c.send : c.recv),
          all_count(gathers ? c.recv_count : c.send_count),
          own_count(gathers ? c.send_count : c.recv_count),
          counts(gathers ? c.counts : c.send_counts),
          displacements(gathers ? c.displacements : c.send_displacements),
          in_place(own == MPI_IN_PLACE) {}

    template <class T>
    T& of_all(T& send, T& recv) const {
        return gathers ? recv : send;
    }
    template <class T>
    T& of_own(T& send, T& recv) const {
        return gathers ? send : recv;
    }
};

/// Makes the Call of an alltoallv.
inline Call alltoallv_call(const void* send, Array send_counts, Array send_displacements,
                           MPI_Datatype send_type, void* recv, Array counts, Array displacements,
                           MPI_Datatype recv_type, MPI_Comm comm) {
    return {.collective = Collective::alltoallv,
            .send = send,
            .send_type = send_type,
            .recv = recv,
            .recv_type = recv_type,
            .counts = counts,
            .displacements = displacements,
            .send_counts = send_counts,
            .send_displacements = send_displacements,
            .varies = true,
            .comm = comm};
}

}  // namespace hopbine::mpi
