/// Which rules of a list answer all calls that a later one could. For lists of kMostRules rules
/// without comparing each with each.
#pragma once
#include <utility>
#include <vector>

#include "select/rules.hpp"

namespace hopbine::select {

/// Per rule the first of those before it that answers all its calls; null: none does.
std::vector<const Rule*> covered(const std::vector<Rule>& rules);
/// The first rule of which that is so by one with another algorithm: (the earlier, the later);
/// nulls: there is none.
std::pair<const Rule*, const Rule*> contradiction(const std::vector<Rule>& rules);

}  // namespace hopbine::select
