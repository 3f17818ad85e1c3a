/// The user's buffers of a call: which of them this rank reads or writes, and which bytes.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "mpi/execute/call.hpp"
#include "mpi/execute/datatype.hpp"

namespace hopbine::mpi {

/// A contiguous range of bytes.
struct ByteRange {
    std::intptr_t begin;
    std::int64_t bytes;
    std::intptr_t end() const { return begin + bytes; }
};

/// A buffer of blocks of one datatype.
struct UserBuffer {
    bool receives = false, written = false;  ///< Call::recv, or Call::send; the call changes it
    const void* base = nullptr;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int blocks = 0;
    std::int64_t count = 0;                 ///< elements of a block, where `counts` is null
    Array counts = {}, displacements = {};  ///< of the blocks; displacements in extents

    std::int64_t elements(int b) const { return counts ? counts[b] : count; }
    std::int64_t displacement(int b) const { return displacements ? displacements[b] : 0; }
    /// Address of the first byte of its data; null when it has none. The buffer may be MPI_BOTTOM.
    const void* first() const;
    /// The bytes of its data, without the gaps.
    std::vector<ByteRange> pieces() const;
};

/// The significant buffers of a valid call on this rank. An entry without a buffer has no blocks.
std::array<UserBuffer, 2> user_buffers(const Call& c, int rank, int size);

}  // namespace hopbine::mpi
