/// One side of an alltoallv: p blocks in a user's buffer, each of its own length and place.
#pragma once
#include "mpi/call.hpp"
#include "mpi/copy.hpp"
#include "mpi/datatype.hpp"

namespace hopbine::mpi {

class Side {
public:
    Side(const void* buffer, int p, Array counts, Array displacements, const Type& type, MPI_Comm comm)
        : buffer_(reinterpret_cast<std::intptr_t>(buffer)), p_(p), counts_(counts), displacements_(displacements), type_(type), comm_(comm) {}

    /// Bytes of all p blocks together; -1 when a count is negative or a number overflows.
    std::int64_t all() const {
        std::int64_t sum = 0, bytes = 0, place = 0;
        for (int b = 0; b < p_; ++b)
            if (counts_[b] < 0 || __builtin_mul_overflow(counts_[b], type_.size, &bytes) || __builtin_add_overflow(sum, bytes, &sum) ||
                __builtin_mul_overflow(displacements_[b], type_.extent, &place))
                return -1;
        return sum;
    }
    int blocks() const { return p_; }
    std::int64_t count(int b) const { return counts_[b]; }
    std::int64_t bytes(int b) const { return counts_[b] * type_.size; }
    const Type& type() const { return type_; }
    /// The buffer may be MPI_BOTTOM, which is no object to point into.
    char* at(int b) const { return reinterpret_cast<char*>(buffer_ + displacements_[b] * type_.extent); }

    /// Block b as the bytes of its signature, without gaps. Returns an MPI error code.
    int pack(int b, char* to) const {
        const std::int64_t n = bytes(b);
        if (n == 0 || !type_.plain) return n ? pack_elements(at(b), count(b), type_, to, comm_) : MPI_SUCCESS;
        copy_bytes(to, at(b), n);
        return MPI_SUCCESS;
    }
    int unpack(int b, const char* from) const {
        const std::int64_t n = bytes(b);
        if (n == 0 || !type_.plain) return n ? unpack_elements(at(b), count(b), type_, from, comm_) : MPI_SUCCESS;
        copy_bytes(at(b), from, n);
        return MPI_SUCCESS;
    }

private:
    std::intptr_t buffer_;
    int p_;
    Array counts_, displacements_;
    Type type_;
    MPI_Comm comm_;
};

}  // namespace hopbine::mpi
