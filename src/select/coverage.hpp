/// Coverage of rules: earlier rules of a list that answer all calls of a later one. Serves lists of
/// kMostRules rules without comparing every pair.
#pragma once
#include <utility>
#include <vector>

#include "select/rules.hpp"

namespace hopbine::select {

/// For each rule the first earlier one that answers all of its calls, or null.
std::vector<const Rule*> covered(const std::vector<Rule>& rules);
/// The first rule covered by one with another algorithm, as (earlier, later). Null pointers if
/// there is none.
std::pair<const Rule*, const Rule*> contradiction(const std::vector<Rule>& rules);

}  // namespace hopbine::select
