/// The choice of the runtime (select/selector.hpp) as a policy.
#pragma once
#include "regret/policy.hpp"

namespace hopbine::regret {

std::unique_ptr<Policy> selector_policy(const Stage& stage, int rank);

}  // namespace hopbine::regret
