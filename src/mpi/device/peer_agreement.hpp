/// Which pairs of ranks let their devices copy messages from one another's memory.
#pragma once
#include "mpi/execute/call.hpp"
#include "mpi/state/communicator.hpp"

namespace hopbine::mpi {

/// Agrees on the pairs of a communicator, where HOPBINE_GPU_PEERS asks for them: both ranks are on
/// one node, have a device and have read what the other has written in its memory. Collective,
/// inside of the user's own blocking call. Ranks without a device may have one by the next time.
void agree_on_peers(const Call& c, Communicator& state);

}  // namespace hopbine::mpi
