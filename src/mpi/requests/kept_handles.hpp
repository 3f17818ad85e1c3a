/// Datatypes and operations of calls that go on by themselves. MPI lets the program free its
/// handles before such a call has ended.
#pragma once
#include <mpi.h>

#include "mpi/arguments/arguments.hpp"

namespace hopbine::mpi {

/// The handles of one call that are the user's own. While it has them, MPI_Type_free and
/// MPI_Op_free of them are put off.
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
