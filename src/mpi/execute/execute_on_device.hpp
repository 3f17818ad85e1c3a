/// Runs plans in the memory of a device, which copies and reduces there.
#pragma once
#include "mpi/execute/execute.hpp"

namespace hopbine::mpi {

/// As execute(), with `b.device`. A file of its own: calls on host memory have code of their own.
int execute_on_device(const Plan& plan, const Binding& b, const Endpoint& at, Workspace& w);

}  // namespace hopbine::mpi
