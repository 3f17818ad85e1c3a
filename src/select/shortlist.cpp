// The candidates worth measuring.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <ranges>
#include <utility>

#include "select/costs.hpp"

namespace hopbine::select {

namespace {

bool alike(const Cost& a, const Cost& b) {
    constexpr double kSame = 0.02;
    return std::abs(a.seconds - b.seconds) <= kSame * a.seconds &&
           std::abs(a.scarce - b.scarce) <= kSame * a.scarce;
}

/// What the model does not put first is tried if its modelled time is at most this multiple of the
/// least.
constexpr double kWorthTrying = 4;
/// What has the fewest steps inside a node is tried at up to this multiple of the least.
constexpr double kFewSteps = 8;
/// Numbers of messages up to this multiple of the fewest are taken for as few.
constexpr double kAsFew = 1.1;
/// Seconds of a core that a message takes at most, at both ends together: some 10 us where it goes
/// through the kernel's TCP.
constexpr double kMessage = 2e-5;

/// A shortlist as it grows: all of different algorithms, at most one a pipeline.
class Listing {
public:
    explicit Listing(const Costed& all) : all_(all) {}
    const Loads& loads(const Cost& c) const {
        return all_.loads[static_cast<std::size_t>(c.candidate)];
    }
    const Candidate& candidate(const Cost& c) const {
        return all_.candidates[static_cast<std::size_t>(c.candidate)];
    }
    bool on_one_node() const { return all_.located.nodes.count() == 1; }
    void add(const Cost& c) {
        if (std::ranges::none_of(listed_, [&](const Cost& l) {
                return algorithm(l) == algorithm(c) || (loads(l).pipelined && loads(c).pipelined);
            }))
            listed_.push_back(c);
    }
    /// Adds candidates, fastest first, that differ from those listed, until there are `count`.
    void add_fastest(const std::vector<Cost>& by_seconds, std::size_t count) {
        for (const Cost& c : by_seconds)
            if (listed_.size() < count && std::isfinite(c.seconds) &&
                std::ranges::none_of(listed_, [&](const Cost& l) { return alike(l, c); }))
                add(c);
    }
    std::size_t size() const { return listed_.size(); }
    std::vector<int> candidates() const {
        std::vector<int> out;
        for (const Cost& c : listed_) out.push_back(c.candidate);
        return out;
    }

private:
    const Algorithm* algorithm(const Cost& c) const { return candidate(c).algorithm; }
    const Costed& all_;
    std::vector<Cost> listed_;
};

/// The fastest of those that send nearly the fewest messages, if that number can make up for its
/// modelled time; else none. `by_seconds`: fastest first. Pipelines are not among them: segments
/// are messages too. On one node, where a root sends, it is the one with the fewest steps: ranks
/// share memory, and where they share cores every step waits for a rank to get one.
std::optional<Cost> with_few_messages(const Listing& list, const std::vector<Cost>& by_seconds) {
    const auto messages = [&](const Cost& c) {
        return static_cast<double>(list.loads(c).totals[all_messages]);
    };
    // Among equally few steps the algorithm without a radix comes first: it is none of the trees.
    const auto steps = [&](const Cost& c) {
        const auto& times = list.loads(c).times;
        return std::pair(std::reduce(times.begin(), times.end()),
                         list.candidate(c).parameters.size());
    };
    std::vector<Cost> few = by_seconds;
    std::erase_if(few, [&](const Cost& c) { return list.loads(c).pipelined; });
    if (few.empty()) return {};
    const Cost fastest = few.front();
    const double most = kAsFew * std::ranges::min(few | std::views::transform(messages));
    const Collective collective = list.candidate(fastest).algorithm->collective;
    const bool by_steps = list.on_one_node() &&
                          (collective == Collective::bcast || collective == Collective::scatter);
    std::erase_if(few, [&](const Cost& c) {
        const double saved = (messages(fastest) - messages(c)) * kMessage;
        return messages(c) > most ||
               c.seconds > (by_steps ? kFewSteps * fastest.seconds : fastest.seconds + saved);
    });
    if (few.empty()) return {};
    return by_steps ? *std::ranges::min_element(few, {}, steps) : few.front();
}

}  // namespace

std::vector<int> shortlist(const Costed& all, double bytes, Operands operands) {
    std::vector<Cost> fit = costs(all, bytes, operands);
    const Cost* const choice = choice_of(fit, patience_of(all.located, all.patience));
    if (!choice) return {};
    Listing list(all);
    list.add(*choice);
    const bool bound = bound_by_links(all, choice->candidate, bytes);
    std::ranges::stable_sort(fit, {}, &Cost::seconds);
    const double most =
        bound ? kWorthTrying * fit.front().seconds : std::numeric_limits<double>::infinity();
    // No rank of a pipeline should do much for one call: it holds up the next.
    const auto unfit = [&](const Cost& c) {
        return !list.loads(c).pipelined || !std::isfinite(c.seconds) || c.seconds > most;
    };
    const Cost& pipeline = *std::ranges::min_element(fit, {}, [&](const Cost& c) {
        return std::pair(unfit(c), list.loads(c).peaks[rank_messages]);
    });
    const bool pipelines = !unfit(pipeline);
    list.add_fastest(fit, bound && pipelines ? kShortlist : kShortlist - 1);
    if (pipelines) list.add(pipeline);
    const std::optional<Cost> few = with_few_messages(list, fit);
    if (few && few->seconds <= most && list.size() < (pipelines ? kShortlist + 1 : kShortlist))
        list.add(*few);
    list.add_fastest(fit, kShortlist);
    return list.candidates();
}

}  // namespace hopbine::select
