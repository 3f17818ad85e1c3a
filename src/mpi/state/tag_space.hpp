/// Tags of hopbine's private communicator, allocated in spaces (CallTags).
#pragma once
#include <mpi.h>

#include <array>
#include <vector>

#include "mpi/execute/messages.hpp"

namespace hopbine::mpi {

/// The space that this process receives with, and those of the other ranks. Every process allocates
/// its own: ranks need not agree on a number, and threads may open communicators concurrently.
class TagSpace {
public:
    /// `width`: number of consecutive spaces that it is made of.
    explicit TagSpace(int width = 1) : width_(width) {}
    /// Calls on a communicator that may be under way at once, each in a space of its own.
    static int lanes();
    TagSpace(const TagSpace&) = delete;
    TagSpace& operator=(const TagSpace&) = delete;
    ~TagSpace();
    /// Allocates a space and exchanges it with the other ranks. `most` becomes its maximum over all
    /// ranks. Collective over `user`, of `size` ranks. False, on all ranks: one of them has no
    /// space left.
    bool open(MPI_Comm user, int size, int* most);
    /// Opens it as a part of another exchange: returns two numbers, whose maxima over all ranks
    /// end_offer() takes. Collective.
    std::array<double, 2> offer();
    bool end_offer(MPI_Comm user, int size, double most, double most_negative);
    /// Begins open() without waiting: `request` completes when all ranks have begun it; then comes
    /// end_open(), which returns what open() does. Returns an MPI error code.
    int begin_open(MPI_Comm user, int size, MPI_Request* request);
    bool end_open();
    bool is_open() const { return own_ >= 0; }
    int tag() const { return kCallTags.first(own_); }
    /// First tags of all ranks; null where they are equal to this rank's.
    const int* tags() const { return others_.empty() ? nullptr : others_.data(); }

private:
    int width_;
    int own_ = -1;
    int offered_ = -1;  ///< while it is being told
    int first_ = 0;     ///< first tag, while it is being told
    std::vector<int> others_;
};

}  // namespace hopbine::mpi
