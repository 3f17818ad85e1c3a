/// The communicators in a rank's record.
#pragma once
#include <mpi.h>

#include <cstdint>

#include "watch/record.h"

namespace hopbine::mpi {

/// Adds a communicator that `function` has made from `parent` at a return address; one that was
/// freed and had its handle goes. Its id is the same on all ranks of it: it is that of its members,
/// and of how many communicators of these were made before.
void add_comm(watch_record& record, MPI_Comm comm, MPI_Comm parent, std::uint32_t function,
              const void* site);

}  // namespace hopbine::mpi
