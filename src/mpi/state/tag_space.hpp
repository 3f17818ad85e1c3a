/// Tags of hopbine's private communicator, allocated in spaces of kTagsEach.
#pragma once
#include <mpi.h>

#include <vector>

#include "mpi/execute/endpoint.hpp"

namespace hopbine::mpi {

/// The space that this process receives with, and those of the other ranks. Every process allocates
/// its own: ranks need not agree on a number, and threads may open communicators concurrently.
class TagSpace {
public:
    TagSpace() = default;
    TagSpace(const TagSpace&) = delete;
    TagSpace& operator=(const TagSpace&) = delete;
    ~TagSpace();
    /// Allocates a space and exchanges it with the other ranks. `most` becomes its maximum over all
    /// ranks. Collective over `user`, of `size` ranks. False, on all ranks: one of them has no
    /// space left.
    bool open(MPI_Comm user, int size, int* most);
    bool is_open() const { return own_ >= 0; }
    int tag() const { return own_ * kTagsEach; }
    /// First tags of all ranks; null where they are equal to this rank's.
    const int* tags() const { return others_.empty() ? nullptr : others_.data(); }

private:
    int own_ = -1;
    std::vector<int> others_;
};

}  // namespace hopbine::mpi
