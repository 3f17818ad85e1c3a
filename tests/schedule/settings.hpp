/// Values of parameters that tests try.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "schedule/algorithm.hpp"

namespace hopbine {

/// The defaults, and every parameter at each of its other probes. Those in bytes change no schedule
/// of a vector whose size is not known.
inline std::vector<Parameters> settings(const Algorithm& a) {
    std::vector<Parameters> out{{}};
    for (const Parameter& q : a.parameters) {
        if (q.kind == Kind::bytes) continue;
        const std::vector<std::int64_t> probes = q.probes();
        for (std::size_t i = 1; i < probes.size(); ++i) out.push_back({{q.name, probes[i]}});
    }
    return out;
}

}  // namespace hopbine
