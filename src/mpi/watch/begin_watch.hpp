/// The rank's record of its calls, as far as MPI tells what is in it.
#pragma once

namespace hopbine::mpi {

/// Begins to watch this rank, where that is asked for. Called after World::begin, on all ranks.
/// Collective: ranks tell one another the secret of their watchers.
void begin_watch();

}  // namespace hopbine::mpi
