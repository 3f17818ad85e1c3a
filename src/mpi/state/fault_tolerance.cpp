#include "mpi/state/fault_tolerance.hpp"

#include "mpi/progress/library_symbol.hpp"

namespace hopbine::mpi {

// MPICH 5 has ULFM's functions too, but its launcher ends a job of which a process fails.
bool survives_failures() {
    const bool* const enabled = library_symbol<const bool*>("ompi_ftmpi_enabled");
    return enabled && *enabled;
}

}  // namespace hopbine::mpi
