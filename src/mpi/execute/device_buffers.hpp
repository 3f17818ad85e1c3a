/// The user's buffers of a call as memory: which of them this rank reads or writes, and which
/// bytes.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "mpi/execute/call.hpp"
#include "mpi/execute/datatype.hpp"

namespace hopbine::mpi {

/// Bytes in memory that lie together.
struct ByteRange {
    std::intptr_t begin;
    std::int64_t bytes;
    std::intptr_t end() const { return begin + bytes; }
};

/// A buffer of blocks of one type.
struct UserBuffer {
    bool receives = false, written = false;  ///< Call::recv, or Call::send; what the call changes
    const void* base = nullptr;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int blocks = 0;
    std::int64_t count = 0;                 ///< elements of a block, where `counts` has none
    Array counts = {}, displacements = {};  ///< of the blocks; in extents

    std::int64_t elements(int b) const { return counts ? counts[b] : count; }
    std::int64_t displacement(int b) const { return displacements ? displacements[b] : 0; }
    /// The first byte of its data; null when it has none. The buffer may be MPI_BOTTOM.
    const void* first() const;
    /// All bytes of its data, and none between them.
    std::vector<ByteRange> pieces() const;
};

/// What of a call with sound arguments is significant on this rank; nothing where there are no
/// blocks.
std::array<UserBuffer, 2> user_buffers(const Call& c, int rank, int size);

}  // namespace hopbine::mpi
