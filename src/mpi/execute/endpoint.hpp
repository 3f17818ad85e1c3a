/// Addresses of a communicator's messages: ranks of hopbine's private communicator, and tags.
#pragma once
#include <mpi.h>

#include "schedule/call_tags.hpp"

namespace hopbine::mpi {

class Fiber;
class Mailboxes;
struct Peers;

/// Destination ranks and tags. Each rank receives with tags of its own choice, which the others
/// have received from it (tag_space.hpp).
struct Endpoint {
    MPI_Comm comm = MPI_COMM_NULL;  ///< has all ranks of MPI_COMM_WORLD
    const int* ranks = nullptr;     ///< ranks in `comm` of the user's communicator
    const int* tags = nullptr;      ///< first receive tag of each rank; null: the same on all
    int first = 0;                  ///< first receive tag of this rank
    int beyond = 0;                ///< from the first tags of the other ranks to those of this call
    Fiber* fiber = nullptr;        ///< is suspended where a call would wait; null: the thread waits
    const Peers* peers = nullptr;  ///< that messages are announced to; null: to none
    Mailboxes* mailboxes = nullptr;  ///< for all messages of the call; null: the MPI library's
    int rank(int peer) const { return ranks[peer]; }
    /// The tag that this rank receives with on a channel, and the one that a peer does.
    int own_tag(int channel) const { return CallTags::tag(first, channel); }
    int tag_of(int peer, int channel) const {
        return CallTags::tag(tags ? tags[peer] + beyond : first, channel);
    }
};

}  // namespace hopbine::mpi
