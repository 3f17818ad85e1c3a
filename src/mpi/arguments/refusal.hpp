/// Detects invalid buffers and whether the MPI library refuses them.
#pragma once
#include <cstdint>

#include "mpi/arguments/arguments.hpp"

namespace hopbine::mpi {

/// Whether a significant buffer is null, a misplaced MPI_IN_PLACE, or the same as the other.
bool suspicious(const Call& call, int rank, int p, const Arguments& known);

/// suspicious() for calls with the same arguments but for the buffers, of which the same are
/// MPI_IN_PLACE: made once, tested in each.
class PlainBuffers {
public:
    PlainBuffers() = default;
    PlainBuffers(const Call& call, int rank, const Arguments& known);
    /// Whether significant buffers are given and apart: no rank refuses them.
    [[gnu::always_inline]] bool hold(const Call& c) const {
        return given(c) && !(both() && (far_ || address(c.send) + ahead_ == address(c.recv)));
    }
    /// Whether significant buffers are given.
    [[gnu::always_inline]] bool given(const Call& c) const {
        return (!sends_ || c.send) && (!receives_ || c.recv);
    }
    /// Whether there are two that must lie apart.
    [[gnu::always_inline]] bool both() const { return sends_ && receives_; }

private:
    static std::intptr_t address(const void* buffer) {
        return reinterpret_cast<std::intptr_t>(buffer);
    }
    /// The send buffer's place less the receive buffer's, as the MPI library compares them, in
    /// bytes. In one word with the others: keys with buffers are to fit a line of the cache.
    std::int32_t ahead_ : 29 = 0;
    bool far_ : 1 = false;  ///< it is too large for that: they are not taken to be apart
    bool sends_ : 1 = false, receives_ : 1 = false;  ///< a buffer that is significant
};

/// Whether the MPI library refuses such buffers. Calls it with few elements on a communicator of
/// this process alone: what it refuses there it refuses at once on the user's communicator too.
bool library_refuses(const Call& call, int rank, const Arguments& known);

}  // namespace hopbine::mpi
