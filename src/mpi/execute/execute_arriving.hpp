/// Runs plans in host memory whose contents arrive from a device meanwhile.
#pragma once
#include "mpi/execute/buffers.hpp"
#include "mpi/execute/endpoint.hpp"
#include "mpi/execute/execute.hpp"

namespace hopbine::mpi {

/// As execute(), with `b.mirror`. A file of its own: calls on host memory, which may not become
/// slower, have code of their own.
int execute_arriving(const Plan& plan, const Binding& b, const Endpoint& at, Workspace& w);

}  // namespace hopbine::mpi
