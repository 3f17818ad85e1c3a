/// Runs plans in host memory, among ranks whose buffers may be on devices that are peers.
#pragma once
#include "mpi/execute/execute.hpp"

namespace hopbine::mpi {

/// As execute(), with `at.peers`. A file of its own: other calls have code without peers.
int execute_beside_peers(const Plan& plan, const Binding& b, const Endpoint& at, Workspace& w);

}  // namespace hopbine::mpi
