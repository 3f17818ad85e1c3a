#include "select/cost_choice.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>

#include "combinators/segments.hpp"

namespace hopbine::select {

namespace {

/// The steps of one pattern.
struct PatternCost {
    double times, latency, messages, seconds_per_unit;
};

class PatternCosts {
public:
    PatternCosts(const Loads& loads, const LinkCosts& net, const LocatedRanks& located)
        : loads_(loads), net_(net), groups_(static_cast<std::size_t>(located.groups.count())) {
        nodes_of_group_.resize(groups_);
        for (int n = 0; n < located.nodes.count(); ++n)
            ++nodes_of_group_[static_cast<std::size_t>(
                located.groups.of(located.nodes.members(n).front()))];
    }
    PatternCost operator()(int pattern) const {
        const double latency[] = {0, net_.node_latency, net_.local_latency, net_.global_latency};
        return {static_cast<double>(loads_.times[static_cast<std::size_t>(pattern)]),
                latency[static_cast<std::size_t>(peak(pattern, farthest))],
                peak(pattern, rank_messages), slowest(pattern)};
    }

private:
    double peak(int pattern, Peak what) const {
        return static_cast<double>(loads_.peaks[static_cast<std::size_t>(pattern * kPeaks + what)]);
    }
    /// Of all ranks, nodes and groups.
    double slowest(int pattern) const {
        double out = std::max(peak(pattern, rank_volume) / net_.memory_bandwidth,
                              peak(pattern, node_volume) / net_.node_bandwidth);
        for (std::size_t g = 0; g < groups_; ++g) {
            const auto at = (static_cast<std::size_t>(pattern) * groups_ + g) * 2;
            const auto volume =
                static_cast<double>(std::max(loads_.groups[at], loads_.groups[at + 1]));
            out = std::max(out, volume * net_.taper / (nodes_of_group_[g] * net_.node_bandwidth));
        }
        return out;
    }

    const Loads& loads_;
    const LinkCosts& net_;
    std::size_t groups_;
    std::vector<double> nodes_of_group_;
};

/// A pipeline of S steps in n segments: the first segment waits for all latencies, links are busy
/// for S + n - 1 steps with 1 / n of what all steps move. Infinite where it has one segment: then
/// it is another algorithm.
double pipelined_seconds(const PatternCost& c, const LinkCosts& net, double bytes, double unit) {
    const auto n = static_cast<double>(segments::best(static_cast<std::int64_t>(c.times), bytes,
                                                      net.overhead, 1 / net.node_bandwidth));
    if (n < 2) return std::numeric_limits<double>::infinity();
    return c.times * c.latency + std::max(0.0, c.messages * n - c.times) * net.overhead +
           c.seconds_per_unit * unit * (c.times + n - 1) / n;
}

}  // namespace

double modelled_seconds(const Loads& loads, const LinkCosts& net, const LocatedRanks& located,
                        double bytes) {
    const auto p = static_cast<double>(located.placement->group.size());
    const double unit = bytes / p / loads.parts;
    const PatternCosts cost(loads, net, located);
    if (loads.pipeline) return pipelined_seconds(cost(0), net, bytes, unit);
    double total = loads.permutes ? 2 * bytes / net.memory_bandwidth : 0;
    for (int i = 0; i < loads.patterns; ++i) {
        const PatternCost c = cost(i);
        total += c.times * c.latency + std::max(0.0, c.messages - c.times) * net.overhead +
                 c.seconds_per_unit * unit;
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
