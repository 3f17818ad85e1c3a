/// What calls that go on by themselves keep of the program's: counts and displacements, datatypes
/// and operations.
#pragma once
#include <mpi.h>

#include <array>
#include <cstdint>
#include <vector>

#include "mpi/arguments/arguments.hpp"

namespace hopbine::mpi {

/// Copies of the counts and displacements. MPI forbids the program to change them before such a
/// call has ended (MPI 4.1, Sec. 6.12), but the MPI libraries read them at once, and mpi4py relies
/// on that.
class KeptArrays {
public:
    /// Makes the validated call refer to copies of the arrays that are significant on this rank.
    void keep(Call& call, const Communicator& state);

private:
    std::array<std::vector<std::int64_t>, 4> numbers_;
};

/// The handles of one call that are the user's own. While it has them, MPI_Type_free and
/// MPI_Op_free of them are put off: MPI lets the program free them before such a call has ended.
class KeptHandles {
public:
    KeptHandles() = default;
    KeptHandles(const KeptHandles&) = delete;
    KeptHandles& operator=(const KeptHandles&) = delete;
    ~KeptHandles() { release(); }

    /// Keeps those of a validated call that are not predefined.
    void keep(const Call& call, const Arguments& known, const Reduction& reduction);
    /// Frees what the program has freed meanwhile.
    void release();

private:
    MPI_Datatype send_ = MPI_DATATYPE_NULL, recv_ = MPI_DATATYPE_NULL;
    MPI_Op op_ = MPI_OP_NULL;
};

}  // namespace hopbine::mpi
