/// Whether schedules are the same.
#pragma once
#include <cstdint>

#include "schedule/schedule.hpp"

namespace hopbine {

/// A hash of what the first 64 ranks of p do: equal for algorithms that send the same messages.
std::uint64_t fingerprint(const Schedule& s, int p);

}  // namespace hopbine
