/// Runs a bound plan by messages in shared memory.
#pragma once
#include "mpi/execute/execute.hpp"

namespace hopbine::mpi {

/// execute() for a call whose Endpoint has mailboxes, in a fiber: all its messages fit into them.
int execute_in_mailboxes(const Plan& plan, const Binding& b, const Endpoint& at, Workspace& w);

}  // namespace hopbine::mpi
