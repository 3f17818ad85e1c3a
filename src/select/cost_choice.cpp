#include "select/cost_choice.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "combinators/segments.hpp"
#include "schedule/bounds.hpp"
#include "select/classic.hpp"
#include "select/costs.hpp"

namespace hopbine::select {

/// A number of a text, within limits. Throws Error naming `source`.
static double parse_number(const std::string& text, int low, int high, const std::string& source) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, wrong] = std::from_chars(text.data(), end, value);
    if (wrong != std::errc() || stop != end || !(value >= low && value <= high))
        throw Error(source + ": '" + shown(text) + "' is not a number from " + std::to_string(low) +
                    " to " + std::to_string(high));
    return value;
}

double parse_patience(const std::string& text, const std::string& source) {
    return parse_number(text, 1, 100, source);
}
double patience_of(const LocatedRanks& located, double given) {
    return located.dimensions() > 0 && located.groups.count() == 1 ? 1 : given;
}
double parse_budget(const std::string& text, const std::string& source) {
    return parse_number(text, 0, 1, source);
}

namespace {

/// Costs of the steps of a pattern for one size.
struct StepCosts {
    double times, latency, messages;
    double ports;      ///< of a torus by which a rank sends at the same time
    double links;      ///< seconds of the busiest link
    double bandwidth;  ///< seconds of the busiest link, and of the rank that reduces and packs most
    double longest;    ///< bytes that a rank sends or receives, the most between nodes
    double rank;       ///< bytes that a rank sends or receives
};

/// Seconds in which a rank copies these bytes of so many blocks: each is read and written.
double copying(const LinkCosts& net, double bytes, double blocks) {
    return 2 * bytes / net.memory_bandwidth + blocks * net.pack;
}

/// Further latency of a step in which a rank sends or receives these bytes.
double rendezvous(const LinkCosts& net, double bytes) {
    return net.rendezvous * std::min(bytes / LinkCosts::kLong, 1.0);
}

/// Seconds of a pipeline whose segments take these steps, with loads as of the whole vector. The
/// last segment starts after the others have passed one step. `given`: Loads::segments.
double pipeline_seconds(const StepCosts& c, const LinkCosts& net, double bytes,
                        std::int64_t given) {
    const auto n = static_cast<double>(
        given ? given
              : segments::best(static_cast<std::int64_t>(c.times), bytes, net.segment_start(),
                               1 / net.node_bandwidth, segments::kFewer));
    if (n < 2 && !given) return std::numeric_limits<double>::infinity();  // not a pipeline
    return c.times * c.latency + n * c.messages * net.segment_start() +
           (c.times + n - 1) * (c.bandwidth / n + rendezvous(net, c.longest / c.times / n));
}

double step_seconds(const StepCosts& c, const LinkCosts& net) {
    const double further = std::max(0.0, c.messages - c.times),
                 by_others = std::min(further, c.times * (c.ports - 1));
    return c.times * (c.latency + rendezvous(net, c.longest / c.times)) +
           by_others * net.port_overhead + (further - by_others) * net.overhead + c.bandwidth;
}

/// Loads of a schedule on the links of a job.
class Model {
public:
    Model(const Loads& loads, const LinkCosts& net, const LocatedRanks& located, double bytes)
        : loads_(loads),
          net_(net),
          torus_(located.dimensions() > 0),
          reduces_(reduces()),
          directions_(2 * located.dimensions()),
          ranks_(static_cast<double>(located.placement->group.size())),
          bytes_(bytes),
          unit_(bytes / ranks_ * loads.blocks(1)) {}
    StepCosts costs(int pattern) const {
        const double latency[] = {0, net_.node_latency, net_.local_latency, net_.global_latency};
        const std::int64_t far = peak(pattern, farthest);
        const double rank = volume(pattern, rank_volume);
        const double links = std::max({rank / rank_bandwidth(pattern),
                                       volume(pattern, node_volume) / net_.node_bandwidth,
                                       volume(pattern, port_volume) / net_.port_bandwidth,
                                       of_lines(pattern), of_groups(pattern)});
        return {
            .times = static_cast<double>(loads_.times[static_cast<std::size_t>(pattern)]),
            .latency = latency[far] + further_links(pattern) * net_.hop_latency,
            .messages = static_cast<double>(peak(pattern, rank_messages)),
            .ports = torus_ ? static_cast<double>(loads_.channels) : 1,
            .links = links,
            .bandwidth = beside(links, volume(pattern, reduced_volume) / net_.reduce_bandwidth) +
                         packed(pattern),
            .longest = far > 1 ? rank : 0,
            .rank = rank};
    }
    /// Seconds in which a rank copies these bytes of the vector, block by block.
    double moving(double bytes) const {
        return copying(net_, bytes, ranks_ * (bytes_ > 0 ? bytes / bytes_ : 1));
    }
    bool reduces() const {
        for (int i = 0; i < loads_.patterns; ++i)
            if (peak(i, reduced_volume) > 0) return true;
        return false;
    }

private:
    std::int64_t peak(int pattern, Peak what) const {
        return loads_.peaks[static_cast<std::size_t>(pattern * kPeaks + what)];
    }
    /// In bytes.
    double volume(int pattern, Peak what) const {
        return static_cast<double>(peak(pattern, what)) * unit_;
    }
    /// Seconds of copies into and out of messages.
    double packed(int pattern) const {
        if (loads_.packed.empty()) return 0;
        const auto* const one = &loads_.packed[static_cast<std::size_t>(pattern) * 2];
        return copying(net_, static_cast<double>(one[0]) * unit_, static_cast<double>(one[1]));
    }
    /// Bytes/s of a rank's messages. On a torus a channel has a port. Elsewhere messages in flight
    /// together share the cards of a node; those of a pipeline's segment are. What is reduced comes
    /// in no faster by many messages than by one (docs/choice.md).
    double rank_bandwidth(int pattern) const {
        if (torus_) return std::min(net_.rank_bandwidth, loads_.channels * net_.port_bandwidth);
        if (reduces_) return net_.rank_bandwidth;
        const auto steps = loads_.pipelined ? 1 : loads_.times[static_cast<std::size_t>(pattern)];
        const double together = static_cast<double>(peak(pattern, rank_messages)) /
                                static_cast<double>(std::max<std::int64_t>(steps, 1));
        return net_.rank_bandwidth * std::max(1.0, std::min(together, net_.cards));
    }
    /// Seconds of links and of a rank that reduces. Channels proceed independently: what one has
    /// received is reduced while messages of the others are on their way.
    double beside(double links, double reducing) const {
        return loads_.channels > 1 ? std::max(links, reducing) : links + reducing;
    }
    /// Links of a torus that a message passes after its first, the most of any message.
    double further_links(int pattern) const {
        return static_cast<double>(std::max<std::int64_t>(peak(pattern, links_passed) - 1, 0));
    }
    /// Seconds of the direction of a torus whose links carry most, all alike: each rank has one.
    double of_lines(int pattern) const {
        std::int64_t most = 0;
        for (std::size_t i = 0; i < directions_; ++i)
            most =
                std::max(most, loads_.lines[static_cast<std::size_t>(pattern) * directions_ + i]);
        return static_cast<double>(most) * unit_ / (2 * ranks_ * net_.port_bandwidth);
    }
    /// Seconds of the group whose links are busiest.
    double of_groups(int pattern) const {
        const auto at = static_cast<std::size_t>(pattern) * 2;
        const auto most = static_cast<double>(loads_.busiest_group[at]),
                   nodes = static_cast<double>(loads_.busiest_group[at + 1]);
        return most > 0 ? most * unit_ * net_.taper / (nodes * net_.node_bandwidth) : 0;
    }

    const Loads& loads_;
    const LinkCosts& net_;
    bool torus_, reduces_;
    std::size_t directions_;
    double ranks_, bytes_, unit_;
};

/// Seconds of all steps with copies beside them (Permutes::in_flight).
double seconds_in_flight(const Loads& loads, const Model& model, const LinkCosts& net,
                         double bytes) {
    double total = 0, left = 0;  // left: seconds of copying what has arrived
    for (int i = 0; i < loads.patterns; ++i) {
        const StepCosts c = model.costs(i);
        const double one = step_seconds(c, net) / c.times, moved = model.moving(c.rank / c.times);
        double first = std::max(one, left), next = std::max(one, moved);
        if (model.reduces()) {
            first = i > 0 ? one : moved + std::max(one, model.moving(bytes) - moved);
            next = one;
        } else {
            left = moved;
        }
        total += first + (c.times - 1) * next;
    }
    return total + left;
}

}  // namespace

double modelled_seconds(const Loads& loads, const LinkCosts& net, const LocatedRanks& located,
                        double bytes) {
    const Model model(loads, net, located, bytes);
    if (loads.pipelined) return pipeline_seconds(model.costs(0), net, bytes, loads.segments);
    if (loads.permutes == Permutes::in_flight) return seconds_in_flight(loads, model, net, bytes);
    double total = loads.permutes == Permutes::at_an_end ? model.moving(bytes) : 0;
    for (int i = 0; i < loads.patterns; ++i) total += step_seconds(model.costs(i), net);
    return total;
}

double seconds_beside_computation(const Loads& loads, const LinkCosts& net,
                                  const LocatedRanks& located, double bytes) {
    if (loads.pipelined || loads.patterns == 0) return 0;
    const StepCosts first = Model(loads, net, located, bytes).costs(0);
    if (first.messages == 0) return 0;
    const double longest = first.rank / first.messages;
    return (first.latency + first.links / first.times) *
           std::min(1.0, LinkCosts::kEager / std::max(longest, 1.0));
}

double scarce(const Loads& loads, const LocatedRanks& located) {
    const std::int64_t volume =
        loads.totals[located.groups.count() > 1 ? global_volume : local_volume];
    return loads.blocks(volume);
}

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
    if (all.nonblocking && !out.empty()) {
        const double most = kBeside * std::ranges::min(out, {}, &Cost::seconds).seconds;
        std::erase_if(out, [&](const Cost& c) { return c.seconds > most; });
        for (Cost& c : out)
            c.seconds -=
                seconds_beside_computation(all.loads[static_cast<std::size_t>(c.candidate)],
                                           all.net, all.located, bytes) /
                2;
    }
    return out;
}

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

CostChoice choose_by_cost(const Costed& all, double bytes, Operands operands) {
    const std::vector<Cost> fit = costs(all, bytes, operands);
    const Cost* const best = choice_of(fit, patience_of(all.located, all.patience));
    return best ? CostChoice{best->candidate, best->seconds} : CostChoice{};
}

double seconds(const Costed& all, int candidate, double bytes) {
    return modelled_seconds(all.loads[static_cast<std::size_t>(candidate)], all.net, all.located,
                            bytes);
}

double classic_seconds(const Costed& all, double bytes) {
    const auto ranks = static_cast<int>(all.located.placement->group.size());
    for (std::size_t i = 0; i < all.candidates.size(); ++i) {
        const Candidate& c = all.candidates[i];
        if (c.numbering == 0 && c.algorithm == &classic(c.algorithm->collective, ranks, bytes))
            return seconds(all, static_cast<int>(i), bytes);
    }
    return std::numeric_limits<double>::infinity();
}

bool bound_by_links(const Costed& all, int candidate, double bytes) {
    const Loads& loads = all.loads[static_cast<std::size_t>(candidate)];
    return loads.pipelined || modelled_seconds(loads, all.net, all.located, bytes) >=
                                  2 * modelled_seconds(loads, all.net, all.located, 0);
}

bool can_be_scarce(const LocatedRanks& located) {
    const int nodes = located.nodes.count();
    return located.groups.count() > 1 || located.dimensions() > 1 ||
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
