/// How the messages of a communicator travel: over hopbine's one private communicator, kept apart
/// by tags.
#pragma once
#include <mpi.h>

namespace hopbine::mpi {

/// Tags that a communicator, or a prepared exchange, has for itself: one for each channel of a
/// schedule.
inline constexpr int kTagsEach = 64;

/// Each rank receives with tags of its own choice and has told them to the others (tag_space.hpp).
struct Endpoint {
    MPI_Comm comm = MPI_COMM_NULL;  ///< of all ranks of MPI_COMM_WORLD
    const int* ranks = nullptr;     ///< in `comm`, of the ranks of the user's communicator
    const int* tags =
        nullptr;  ///< the first tag with which each of them receives; null: all have the same
    int tag = 0;  ///< the first tag with which this rank receives
    int rank(int peer) const { return ranks[peer]; }
    int tag_of(int peer) const { return tags ? tags[peer] : tag; }
};

}  // namespace hopbine::mpi
