#include "select/cost_choice.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>

namespace hopbine::select {

double modelled_seconds(const Loads& loads, const LinkCosts& net, const LocatedRanks& located,
                        double bytes) {
    const auto k = static_cast<std::size_t>(located.groups.count());
    const auto p = static_cast<double>(located.placement->group.size());
    const double unit = bytes / p / loads.parts,
                 latency[] = {0, net.node_latency, net.local_latency, net.global_latency};
    std::vector<double> nodes_of_group(k);
    for (int n = 0; n < located.nodes.count(); ++n)
        ++nodes_of_group[static_cast<std::size_t>(
            located.groups.of(located.nodes.members(n).front()))];
    double total = loads.permutes ? 2 * bytes / net.memory_bandwidth : 0;
    for (int i = 0; i < loads.patterns; ++i) {
        const auto peak = [&](Peak what) {
            return static_cast<double>(loads.peaks[static_cast<std::size_t>(i * kPeaks + what)]);
        };
        const auto times = static_cast<double>(loads.times[static_cast<std::size_t>(i)]);
        double busiest = std::max(peak(rank_volume) / net.memory_bandwidth,
                                  peak(node_volume) / net.node_bandwidth);
        for (std::size_t g = 0; g < k; ++g) {
            const auto at = (static_cast<std::size_t>(i) * k + g) * 2;
            const auto volume =
                static_cast<double>(std::max(loads.groups[at], loads.groups[at + 1]));
            busiest =
                std::max(busiest, volume * net.taper / (nodes_of_group[g] * net.node_bandwidth));
        }
        total += times * latency[static_cast<std::size_t>(peak(farthest))] +
                 std::max(0.0, peak(rank_messages) - times) * net.overhead + busiest * unit;
    }
    return total;
}

namespace {

/// Blocks on the scarcest links that the placement knows of.
double scarce(const Loads& loads, const LocatedRanks& located) {
    const std::int64_t volume =
        loads.totals[located.groups.count() > 1 ? global_volume : local_volume];
    return loads.blocks(volume);
}

}  // namespace

CostChoice choose_by_cost(const std::vector<Candidate>& all, const std::vector<Loads>& loads,
                          const LinkCosts& net, const LocatedRanks& located, double bytes,
                          Operands operands) {
    std::vector<double> seconds(all.size(), -1);
    double fastest = -1;
    for (std::size_t i = 0; i < all.size(); ++i) {
        // Another order of the ranks would be another order of the operands.
        if (!serves(*all[i].algorithm, operands) ||
            (operands == Operands::in_order && all[i].numbering != 0))
            continue;
        seconds[i] = modelled_seconds(loads[i], net, located, bytes);
        if (fastest < 0 || seconds[i] < fastest) fastest = seconds[i];
    }
    // The first of those within `patience` of the fastest and at most `most` blocks on the scarce
    // links, in the order of less(i, j).
    const auto pick = [&](double patience, double most, auto&& less) {
        int best = -1;
        for (std::size_t i = 0; i < all.size(); ++i)
            if (seconds[i] >= 0 && seconds[i] <= fastest * patience &&
                scarce(loads[i], located) <= most &&
                (best < 0 || less(i, static_cast<std::size_t>(best))))
                best = static_cast<int>(i);
        return best;
    };
    const int near =
        pick(kPatience, std::numeric_limits<double>::infinity(), [&](std::size_t i, std::size_t j) {
            return std::pair(scarce(loads[i], located), seconds[i]) <
                   std::pair(scarce(loads[j], located), seconds[j]);
        });
    if (near < 0) return {};
    const int half =
        pick(kPatienceForHalf, scarce(loads[static_cast<std::size_t>(near)], located) / 2,
             [&](std::size_t i, std::size_t j) { return seconds[i] < seconds[j]; });
    const int best = half >= 0 ? half : near;
    return {best, seconds[static_cast<std::size_t>(best)]};
}

std::string reason(const Loads& loads, const LocatedRanks& located) {
    char text[120];
    const int k = located.groups.count(), nodes = located.nodes.count();
    const double vectors =
        scarce(loads, located) / static_cast<double>(located.placement->group.size());
    if (k > 1)
        std::snprintf(text, sizeof text, "counted: %.3g n between %d groups (%d nodes)", vectors, k,
                      nodes);
    else
        std::snprintf(text, sizeof text, "counted: %.3g n between %d nodes", vectors, nodes);
    return text;
}

}  // namespace hopbine::select
