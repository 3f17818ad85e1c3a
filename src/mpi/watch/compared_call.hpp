/// What ranks compare of a call, by what MPI says of its arguments.
#pragma once
#include <mpi.h>

#include <optional>

#include "watch/record.h"
#include "watch/view.hpp"

namespace hopbine::mpi {

/// As the watcher sees the call, with the bytes of derived datatypes, of arrays of counts, and
/// whether an operation of the program commutes. `comm` has the same ranks as the call's. None: the
/// MPI library refuses its arguments, so that the call does not count.
std::optional<watch::CallView> compared_call(const watch_call& call, const watch_record& record,
                                             MPI_Comm comm);

}  // namespace hopbine::mpi
