/// Arguments that gather and scatter share, for equal blocks and for counts of their own.
#pragma once
#include "mpi/execute/call.hpp"
#include "mpi/execute/datatype.hpp"

namespace hopbine::mpi {

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

}  // namespace hopbine::mpi
