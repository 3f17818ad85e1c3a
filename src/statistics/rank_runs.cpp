#include "statistics/rank_runs.hpp"

#include <cstdlib>

namespace hopbine::mpi {

std::string rank_runs(std::span<const int> ranks) {
    std::string out;
    for (std::size_t first = 0, end; first < ranks.size(); first = end) {
        end = first + 1;
        const int step = end < ranks.size() ? ranks[end] - ranks[first] : 0;
        while (end < ranks.size() && ranks[end] - ranks[end - 1] == step) ++end;
        if (end - first == 2 && std::abs(step) != 1) end = first + 1;  // two that are far apart
        if (!out.empty()) out += ',';
        out += std::to_string(ranks[first]);
        if (end - first == 1) continue;
        out += '-' + std::to_string(ranks[end - 1]);
        if (std::abs(step) != 1) out += '/' + std::to_string(std::abs(step));
    }
    return out;
}

}  // namespace hopbine::mpi
