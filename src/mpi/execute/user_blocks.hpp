/// Blocks with counts of their own in a user's buffer: p blocks with displacements, or a single
/// one.
#pragma once
#include "mpi/execute/call.hpp"
#include "mpi/execute/datatype.hpp"
#include "mpi/execute/execute.hpp"
#include "mpi/execute/messages.hpp"
#include "runtime/copy.hpp"

namespace hopbine::mpi {

class UserBlocks {
public:
    UserBlocks(const void* buffer, int p, Array counts, Array displacements, const Type& type)
        : buffer_(reinterpret_cast<std::intptr_t>(buffer)),
          p_(p),
          counts_(counts),
          displacements_(displacements),
          type_(type) {}

    /// A single block, whatever rank is at its other end.
    UserBlocks(const void* buffer, std::int64_t count, const Type& type)
        : buffer_(reinterpret_cast<std::intptr_t>(buffer)), p_(1), count_(count), type_(type) {}

    /// Equal blocks, one behind the other.
    static UserBlocks equal(const void* buffer, int p, std::int64_t count, const Type& type) {
        UserBlocks out(buffer, count, type);
        out.p_ = p;
        out.stride_ = count;
        return out;
    }

    /// Bytes of all blocks together; -1 when a count is negative or a number overflows.
    std::int64_t all() const {
        std::int64_t sum = 0, bytes = 0, place = 0;
        for (int b = 0; b < p_; ++b)
            if (count(b) < 0 || __builtin_mul_overflow(count(b), type_.size, &bytes) ||
                __builtin_add_overflow(sum, bytes, &sum) ||
                __builtin_mul_overflow(displacement(b), type_.extent, &place))
                return -1;
        return sum;
    }
    int blocks() const { return p_; }
    std::int64_t count(int b) const { return counts_ ? counts_[b] : count_; }
    std::int64_t bytes(int b) const { return count(b) * type_.size; }
    const Type& type() const { return type_; }
    /// Address of block b. The buffer may be MPI_BOTTOM, which is no object to point into.
    char* at(int b) const {
        return reinterpret_cast<char*>(buffer_ + displacement(b) * type_.extent);
    }

    /// Packs block b into contiguous bytes. Returns an MPI error code.
    int pack(int b, char* to) const {
        const std::int64_t n = bytes(b);
        if (n == 0 || !type_.plain)
            return n ? pack_elements(at(b), count(b), type_, to) : MPI_SUCCESS;
        copy_bytes(to, at(b), n);
        return MPI_SUCCESS;
    }
    int unpack(int b, const char* from) const {
        const std::int64_t n = bytes(b);
        if (n == 0 || !type_.plain)
            return n ? unpack_elements(at(b), count(b), type_, from) : MPI_SUCCESS;
        copy_bytes(at(b), from, n);
        return MPI_SUCCESS;
    }

private:
    std::int64_t displacement(int b) const {
        return displacements_ ? displacements_[b] : b * stride_;
    }

    std::intptr_t buffer_;
    int p_;
    std::int64_t count_ = 0;   ///< of the single block, or of each of equal ones
    std::int64_t stride_ = 0;  ///< from one of equal blocks to the next
    Array counts_, displacements_;
    Type type_;
};

/// Copies the block of a rank for itself from its send to its receive buffer. Returns an MPI error
/// code: MPI_ERR_TRUNCATE when the two disagree on its size.
inline int hand_over(const UserBlocks& from, const UserBlocks& to, int rank, Scratch& scratch) {
    const std::int64_t bytes = from.bytes(rank);
    if (bytes != to.bytes(rank)) return MPI_ERR_TRUNCATE;
    if (bytes == 0) return MPI_SUCCESS;
    if (from.type().plain) return to.unpack(rank, from.at(rank));
    if (to.type().plain) return from.pack(rank, to.at(rank));
    char* const between = scratch.at_least(bytes);
    HOPBINE_TRY(from.pack(rank, between));
    return to.unpack(rank, between);
}

}  // namespace hopbine::mpi
