#include "select/cost_choice.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "combinators/segments.hpp"
#include "schedule/bounds.hpp"

namespace hopbine::select {

double parse_patience(const std::string& text, const std::string& source) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, wrong] = std::from_chars(text.data(), end, value);
    if (wrong != std::errc() || stop != end || !(value >= 1 && value <= 100))
        throw Error(source + ": '" + shown(text) + "' is not a number from 1 to 100");
    return value;
}

namespace {

/// Seconds of a pipeline whose segments take `steps` steps. `busiest`: of the whole vector on the
/// busiest rank, node or group. The last segment starts after the others have passed one step.
double pipeline_seconds(double steps, double messages, double latency, double busiest,
                        const LinkCosts& net, double bytes) {
    const auto n = static_cast<double>(segments::best(static_cast<std::int64_t>(steps), bytes,
                                                      net.segment_start(), 1 / net.node_bandwidth));
    if (n < 2) return std::numeric_limits<double>::infinity();  // not a pipeline
    return steps * latency + n * messages * net.segment_start() + (steps + n - 1) / n * busiest;
}

}  // namespace

double modelled_seconds(const Loads& loads, const LinkCosts& net, const LocatedRanks& located,
                        double bytes) {
    const auto p = static_cast<double>(located.placement->group.size());
    const double unit = bytes / p * loads.blocks(1),
                 latency[] = {0, net.node_latency, net.local_latency, net.global_latency};
    double total = loads.permutes ? 2 * bytes / net.memory_bandwidth : 0;
    for (int i = 0; i < loads.patterns; ++i) {
        const auto peak = [&](Peak what) {
            return static_cast<double>(loads.peaks[static_cast<std::size_t>(i * kPeaks + what)]);
        };
        const auto times = static_cast<double>(loads.times[static_cast<std::size_t>(i)]);
        double busiest = std::max(peak(rank_volume) / net.memory_bandwidth,
                                  peak(node_volume) / net.node_bandwidth);
        const auto at = static_cast<std::size_t>(i) * 2;
        if (loads.busiest_group[at] > 0)
            busiest = std::max(busiest, static_cast<double>(loads.busiest_group[at]) * net.taper /
                                            (static_cast<double>(loads.busiest_group[at + 1]) *
                                             net.node_bandwidth));
        if (loads.pipelined)
            return pipeline_seconds(times, peak(rank_messages),
                                    latency[static_cast<std::size_t>(peak(farthest))],
                                    busiest * unit, net, bytes);
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
std::vector<Cost> costs(const Costed& all, double bytes, Operands operands) {
    std::vector<Cost> out;
    for (std::size_t i = 0; i < all.candidates.size(); ++i) {
        // Another order of ranks would be another order of operands.
        const bool in_order = operands != Operands::in_order || all.candidates[i].numbering == 0;
        if (in_order && serves(*all.candidates[i].algorithm, operands))
            out.push_back({static_cast<int>(i),
                           modelled_seconds(all.loads[i], all.net, all.located, bytes),
                           scarce(all.loads[i], all.located)});
    }
    return out;
}

/// The candidate with the least volume on scarce links within the patience. Null if there is none.
const Cost* choice_of(const std::vector<Cost>& fit, double patience) {
    if (fit.empty()) return nullptr;
    const double longest = std::ranges::min(fit, {}, &Cost::seconds).seconds * patience;
    const Cost* best = nullptr;
    for (const Cost& c : fit)
        if (c.seconds <= longest &&
            (!best || std::pair(c.scarce, c.seconds) < std::pair(best->scarce, best->seconds)))
            best = &c;
    return best;
}

bool alike(const Cost& a, const Cost& b) {
    constexpr double kSame = 0.02;
    return std::abs(a.seconds - b.seconds) <= kSame * a.seconds &&
           std::abs(a.scarce - b.scarce) <= kSame * a.scarce;
}

}  // namespace

CostChoice choose_by_cost(const Costed& all, double bytes, Operands operands) {
    const std::vector<Cost> fit = costs(all, bytes, operands);
    const Cost* const best = choice_of(fit, all.patience);
    return best ? CostChoice{best->candidate, best->seconds} : CostChoice{};
}

std::vector<int> shortlist(const Costed& all, double bytes, Operands operands) {
    const auto is_pipeline = [&](const Cost& c) {
        return all.loads[static_cast<std::size_t>(c.candidate)].pipelined;
    };
    std::vector<Cost> fit = costs(all, bytes, operands), listed;
    if (const Cost* const best = choice_of(fit, all.patience)) listed.push_back(*best);
    std::ranges::stable_sort(fit, {}, &Cost::seconds);
    for (const Cost& c : fit) {
        if (static_cast<int>(listed.size()) == kShortlist || !std::isfinite(c.seconds)) break;
        const bool pipeline = is_pipeline(c);
        if (std::ranges::none_of(
                listed, [&](const Cost& l) { return alike(l, c) || (pipeline && is_pipeline(l)); }))
            listed.push_back(c);
    }
    std::vector<int> out;
    for (const Cost& c : listed) out.push_back(c.candidate);
    return out;
}

bool bound_by_links(const Costed& all, int candidate, double bytes) {
    const Loads& loads = all.loads[static_cast<std::size_t>(candidate)];
    return loads.pipelined || modelled_seconds(loads, all.net, all.located, bytes) >=
                                  2 * modelled_seconds(loads, all.net, all.located, 0);
}

bool can_be_scarce(const LocatedRanks& located) {
    const int nodes = located.nodes.count();
    return located.groups.count() > 1 ||
           (nodes > 1 && nodes < static_cast<int>(located.placement->group.size()));
}

const char* library_first(const LocatedRanks& located, bool any_fit, bool sure) {
    return !can_be_scarce(located) ? "no scarce links between these ranks"
           : !any_fit              ? "no algorithm serves these calls"
           : !sure                 ? "latencies decide: links are not scarce for this size"
                                   : nullptr;
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
