// What the choice by counting costs one rank at a communicator's first use of a collective: places,
// candidates, its share of the counting. A machine of p / per_node nodes, dealt to `groups` groups
// in uneven runs. Median and worst of 9 ranks.
//   choice_count [P] [PER_NODE] [GROUPS]   (default 4096 1 23)
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "select/cost_choice.hpp"

using namespace hopbine;

int main(int argc, char** argv) {
    const int p = argc > 1 ? std::atoi(argv[1]) : 4096,
              per_node = argc > 2 ? std::atoi(argv[2]) : 1, k = argc > 3 ? std::atoi(argv[3]) : 23;
    Placement place;
    for (int r = 0; r < p; ++r) {
        place.node.push_back(r / per_node);
        place.group.push_back(r / per_node / 37 * 5 % k);
    }
    using Clock = std::chrono::steady_clock;
    const auto ms = [](Clock::time_point since) {
        return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
    };
    auto begin = Clock::now();
    const select::LocatedRanks located(place);
    const auto numberings = select::numberings(place);
    std::printf(
        "p=%d, %d per node, %d groups: places and %zu numberings %.2f "
        "ms\ncollective,candidates,median_ms,worst_ms\n",
        p, per_node, located.groups.count(), numberings.size(), ms(begin));
    for (int c = 0; c < kCollectives; ++c) {
        const auto all = select::candidates(static_cast<Collective>(c), place, numberings);
        if (all.empty()) continue;
        std::vector<double> times;
        for (int sample = 0; sample < 9; ++sample) {
            const int rank = static_cast<int>(sample * 577LL % p), node = located.nodes.of(rank);
            begin = Clock::now();
            for (std::size_t i = 0; i < all.size(); ++i) {
                const bool mine =
                    static_cast<int>(i) % located.nodes.size(node) == located.nodes.index(rank);
                select::measure(all[i], numberings[static_cast<std::size_t>(all[i].numbering)], 0,
                                located, mine ? std::vector{node} : std::vector<int>{});
            }
            times.push_back(ms(begin));
        }
        std::sort(times.begin(), times.end());
        std::printf("%s,%zu,%.2f,%.2f\n", name(static_cast<Collective>(c)), all.size(), times[4],
                    times.back());
    }
}
