/// Properties of a datatype, and of a reduction on it.
#pragma once
#include <mpi.h>

#include <cstdint>

#include "runtime/kernels.hpp"
#include "runtime/transport.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::mpi {

struct Type {
    MPI_Datatype handle = MPI_DATATYPE_NULL;
    std::int64_t size = 0;    ///< bytes of data
    std::int64_t extent = 0;  ///< bytes from one element to the next
    std::int64_t true_lb = 0, true_extent = 0;
    bool named = false;  ///< predefined
    bool plain = false;  ///< a predefined type without gaps: n elements are n * size bytes in order
    bool usable = false;  ///< false: the MPI library serves the call (null handle, size unknown)
};

/// Looks up a datatype; fast for predefined ones.
Type describe(MPI_Datatype t);

/// Copies n elements; the gaps between their data stay unchanged. Returns an MPI error code.
int copy_elements(char* to, const char* from, std::int64_t n, const Type& type);
/// Packs n elements of a user's buffer into contiguous bytes, or unpacks them. Returns an MPI error
/// code.
int pack_elements(const char* user, std::int64_t n, const Type& type, char* bytes);
int unpack_elements(char* user, std::int64_t n, const Type& type, const char* bytes);

/// A reduction: a vectorised kernel, or the MPI library's local reduction.
struct Reduction {
    MPI_Op op = MPI_OP_NULL;
    Type type;
    const char* kernel_name = nullptr;  ///< of the kernel on a device; never freed
    Operation operation{};              ///< that the kernel does, where there is one
    Element element{};                  ///< that it does it on
    bool commutes = true;
    bool predefined = false;  ///< one of MPI's own operations
    bool exact = false;       ///< the operation does not round
    bool defined = true;  ///< MPI defines the operation on the datatype; user-defined operations
                          ///< are defined on every one
    Operands operands() const {
        return !commutes ? Operands::in_order : exact ? Operands::exact : Operands::commute;
    }
    /// mine[0..n) = in op mine when `in_left`, else mine op in. May overwrite `in`. Returns an MPI
    /// error code.
    int apply(char* in, char* mine, std::int64_t n, bool in_left) const;
};

Reduction describe(MPI_Op op, const Type& type);

}  // namespace hopbine::mpi
