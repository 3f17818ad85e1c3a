/// The tags of hopbine's private communicator, dealt out in spaces of kTagsEach.
#pragma once
#include <mpi.h>

#include <vector>

#include "mpi/execute/endpoint.hpp"

namespace hopbine::mpi {

/// A space that this process receives with, and those of the other ranks. Every process deals out
/// its own, so ranks need not agree on a number, and threads that open communicators at the same
/// time cannot get into each other's way.
class TagSpace {
public:
    TagSpace() = default;
    TagSpace(const TagSpace&) = delete;
    TagSpace& operator=(const TagSpace&) = delete;
    ~TagSpace();
    /// Takes a space and learns those of the other ranks; `most` becomes the most of all ranks'.
    /// Collective over `user`, of `size` ranks. False, on all ranks, when one of them has no space
    /// left.
    bool open(MPI_Comm user, int size, int* most);
    bool is_open() const { return own_ >= 0; }
    int tag() const { return own_ * kTagsEach; }
    /// Of all ranks; null where they are equal to this rank's.
    const int* tags() const { return others_.empty() ? nullptr : others_.data(); }

private:
    int own_ = -1;
    std::vector<int> others_;
};

}  // namespace hopbine::mpi
