/// Policies that the choice is compared with.
#pragma once
#include <string>
#include <vector>

#include "regret/policy.hpp"

namespace hopbine::regret {

/// A policy by its name. Throws Error naming those that there are:
/// - library: the MPI library serves all calls
/// - best: the arm that is fastest in the mean, known beforehand
/// - count: the choice by counting serves all calls
/// - turns: every arm serves blocks of calls in turns; then the fastest stays, whatever comes
/// - selector: the choice of the runtime
MakePolicy policy_named(const std::string& name);
std::vector<std::string> policy_names();

}  // namespace hopbine::regret
