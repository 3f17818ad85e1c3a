/// Fingerprints, which show whether schedules are the same.
#pragma once
#include <cstdint>

#include "schedule/schedule.hpp"

namespace hopbine {

/// Hash of the moves of the first 64 of p ranks. Equal for algorithms that send the same messages.
std::uint64_t fingerprint(const Schedule& s, int p);

}  // namespace hopbine
