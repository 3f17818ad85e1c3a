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

/// Blocks on the scarcest links that the placement distinguishes.
double scarce(const Loads& loads, const LocatedRanks& located) {
    const std::int64_t volume =
        loads.totals[located.groups.count() > 1 ? global_volume : local_volume];
    return loads.blocks(volume);
}

/// Cost of a candidate for one call.
struct Cost {
    int candidate;
    double seconds, scarce;
};

/// Costs of all candidates that are fit for the operation.
std::vector<Cost> costs(const std::vector<Candidate>& all, const std::vector<Loads>& loads,
                        const LinkCosts& net, const LocatedRanks& located, double bytes,
                        Operands operands) {
    std::vector<Cost> out;
    for (std::size_t i = 0; i < all.size(); ++i) {
        // Another order of ranks would be another order of operands.
        const bool in_order = operands != Operands::in_order || all[i].numbering == 0;
        if (in_order && serves(*all[i].algorithm, operands))
            out.push_back({static_cast<int>(i), modelled_seconds(loads[i], net, located, bytes),
                           scarce(loads[i], located)});
    }
    return out;
}

/// The first, in the order of `less`, of the candidates within the limits `seconds` and `scarce`.
/// Null if there is none.
template <class Less>
const Cost* first_of(const std::vector<Cost>& all, double seconds, double scarce, Less&& less) {
    const Cost* best = nullptr;
    for (const Cost& c : all)
        if (c.seconds <= seconds && c.scarce <= scarce && (!best || less(c, *best))) best = &c;
    return best;
}

}  // namespace

CostChoice choose_by_cost(const std::vector<Candidate>& all, const std::vector<Loads>& loads,
                          const LinkCosts& net, const LocatedRanks& located, double bytes,
                          Operands operands) {
    const std::vector<Cost> fit = costs(all, loads, net, located, bytes, operands);
    if (fit.empty()) return {};
    const double fastest = std::ranges::min(fit, {}, &Cost::seconds).seconds;
    const Cost* const near =
        first_of(fit, fastest * kPatience, std::numeric_limits<double>::infinity(),
                 [](const Cost& a, const Cost& b) {
                     return std::pair(a.scarce, a.seconds) < std::pair(b.scarce, b.seconds);
                 });
    const Cost* const half =
        first_of(fit, fastest * kPatienceForHalf, near->scarce / 2,
                 [](const Cost& a, const Cost& b) { return a.seconds < b.seconds; });
    const Cost& best = half ? *half : *near;
    return {best.candidate, best.seconds};
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
