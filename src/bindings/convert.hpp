/// Conversions from Python values to those of the core.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "bench/distribution.h"
#include "schedule/algorithm.hpp"

namespace hopbine::bindings {

using ParameterMap = std::map<std::string, std::int64_t>;
/// The placement by group and node of every rank. Without nodes each rank has its own.
inline Placement placement(const std::vector<int>& group, const std::vector<int>& node) {
    return node.empty() ? one_rank_per_node(group) : Placement{group, node};
}

/// The distribution of blocks of whole elements that a text names. Throws Error.
inline distribution distribution_named(const std::string& text, std::size_t element) {
    distribution d;
    if (const char* why = distribution_open(&d, text.c_str(), element)) throw Error(why);
    return d;
}

}  // namespace hopbine::bindings
