/// Algorithms that had another name in older rules files.
#pragma once
#include "select/rules.hpp"

namespace hopbine::select {

/// Version of rules files that is written. Older ones are read.
inline constexpr int kRulesVersion = 2;

/// Gives a rule of a file of this version the algorithm that its file means. Where that has another
/// name today, the rule's notice tells.
void rename(Rule& r, int version);

}  // namespace hopbine::select
