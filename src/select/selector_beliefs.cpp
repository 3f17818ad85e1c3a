// Beliefs: what an arm's time over the library's is expected to be.
#include <algorithm>
#include <cmath>

#include "select/selector.hpp"

namespace hopbine::select {

namespace {

/// Observations that what is believed of untried candidates counts for.
constexpr double kAsMany = 2;
/// Ratios in neighbouring classes of sizes differ by this deviation, in the recorded times of
/// benchmarks/regret.
constexpr double kNeighbours = 0.25;
/// No number of calls tells the ratio better than this: machines drift.
constexpr double kSurest = 0.02;

/// Observations of how far ratios were off what was believed of untried candidates, in its
/// deviations, and what was believed of that before.
struct Pool {
    static constexpr double kLeast = kNeighbours / kUntried.deviation;
    double count = kAsMany, sum, squares;
    explicit Pool(const Belief& b)
        : sum(kAsMany * b.mean), squares(kAsMany * (b.deviation * b.deviation + b.mean * b.mean)) {}
    void add(double x) {
        ++count;
        sum += x;
        squares += x * x;
    }
    Belief belief() const {
        const double mean = sum / count;
        return {mean, std::sqrt(std::max(squares / count - mean * mean, kLeast * kLeast))};
    }
};

}  // namespace

/// An arm's time over the library's, from calls of both that can be compared; 0: there are none.
/// `deviation`: of its logarithm. One call in a hundred may take twenty times as long, and a mean
/// of few calls with one of them tells nothing.
double Selector::ratio(const Kind& k, int arm, double* deviation) const {
    const Arm &a = k.arms[static_cast<std::size_t>(arm)], &library = k.arms[0];
    const bool blocks = a.block.calls > 0 && library.block.calls > 0;
    const Times &own = blocks ? a.block : a.plain, &other = blocks ? library.block : library.plain;
    if (own.calls == 0 || other.calls == 0) return 0;
    if (deviation) {
        const double variance = noise_ * noise_ * (1 / own.calls + 1 / other.calls);
        *deviation = std::hypot(std::sqrt(variance), own.raised(), other.raised());
    }
    return own.usual() / other.usual();
}

/// The ratio by which a rank tells what was saved: of a claimed arm with the claim, as few calls of
/// the library confirm it.
double Selector::told_ratio(const Kind& k, int arm) const {
    double deviation = 0;
    const double shown = ratio(k, arm, &deviation);
    if (k.insured == 0 || arm != 1) return shown;
    const Belief& claimed = k.arms[1].claimed;
    return std::exp(claimed.with({std::log(shown), std::hypot(deviation, kSurest)}).mean);
}

double Selector::seconds(const Kind& k, int arm) const {
    const Arm& library = k.arms[0];
    const double usual = !k.late                   ? library.plain.usual()
                         : library.block.calls > 0 ? library.block.usual()
                                                   : library.least;
    return arm == 0 ? usual : ratio(k, arm) * usual;
}

/// Seconds of a call of the library, as far as known.
double Selector::expected_seconds(const Kind& k) const {
    return known(k) ? seconds(k, 0) : k.weight * agreement_;
}

/// Finds what is believed of candidates that were not tried: what those that were have shown, of
/// all collectives and then of each.
void Selector::find_pool() {
    Pool all(Belief{0, 1});
    std::map<Collective, std::vector<double>> measured;
    for (const Kind& k : kinds_)
        for (std::size_t i = 1; i < k.arms.size(); ++i)
            if (const double x = ratio(k, static_cast<int>(i)); x > 0) {
                const double off = (std::log(x) - k.untried.mean) / k.untried.deviation;
                all.add(off);
                measured[k.key.collective].push_back(off);
            }
    pool_.clear();
    for (const Kind& k : kinds_) {
        Pool own(all.belief());
        for (const double x : measured[k.key.collective]) own.add(x);
        pool_[k.key.collective] = own.belief();
    }
}

/// What is believed of an untried candidate.
Belief Selector::unknown(const Kind& k) const {
    const auto found = pool_.find(k.key.collective);
    const Belief off = found == pool_.end() ? Belief{0, 1} : found->second;
    return {k.untried.mean + k.untried.deviation * off.mean, k.untried.deviation * off.deviation};
}

/// The part of the library's time that untried candidates are claimed to gain: less a deviation.
double Selector::claimed_part(const Kind& k) const {
    if (k.chosen != 0 || (k.offered && k.arms.size() == 1)) return 0;
    for (std::size_t i = 1; i < k.arms.size(); ++i)
        if (compared(k, static_cast<int>(i))) return 0;
    return unknown(k).sure_gain();
}

/// Whether a claimed arm was compared, and is slower than claimed by at most so many deviations of
/// the claim; negative: it is faster by as many.
bool Selector::within_claim(const Kind& k, double deviations) const {
    if (k.insured == 0 || !compared(k, 1)) return false;
    const Belief& claimed = k.arms[1].claimed;
    return std::log(ratio(k, 1)) <= claimed.mean + deviations * claimed.deviation;
}

/// The kind of the same calls, so many classes of sizes away; null: there is none.
const Selector::Kind* Selector::neighbour(const Kind& k, int steps) const {
    KindKey near = k.key;
    near.size_class += steps;
    const auto found = by_key_.find(near);
    return found == by_key_.end() ? nullptr : found->second;
}

/// What is believed of an arm before its own times: what the same algorithm has shown in
/// neighbouring sizes, or what is claimed of it, else what others have shown.
Belief Selector::prior(const Kind& k, const Arm& a) const {
    double sum = 0, weight = 0;
    for (const int step : {-1, 1, -2, 2}) {
        const Kind* const other = neighbour(k, step);
        if (!other) continue;
        for (std::size_t i = 1; i < other->arms.size(); ++i)
            if (const double x = ratio(*other, static_cast<int>(i));
                other->arms[i].name == a.name && x > 0) {
                const double w = 1.0 / std::abs(step);
                sum += w * std::log(x);
                weight += w;
            }
    }
    if (weight > 0) return {sum / weight, kNeighbours / std::sqrt(std::min(weight, 1.0))};
    return a.claimed.deviation > 0 ? a.claimed : unknown(k);
}

Belief Selector::belief(const Kind& k, int arm) const {
    const Arm& a = k.arms[static_cast<std::size_t>(arm)];
    Belief before = prior(k, a);
    double deviation = 0;
    const double shown = ratio(k, arm, &deviation);
    if (shown == 0) return before;
    // What the arm itself has shown counts for more than a claim.
    before.deviation = std::max(before.deviation, kUntried.deviation);
    return before.with({std::log(shown), std::hypot(deviation, kSurest)});
}

/// What is believed of candidates that were not asked for: the arm that serves a neighbouring size
/// may be one.
Belief Selector::not_found(const Kind& k) const {
    Belief best = unknown(k);
    for (const int step : {-1, 1}) {
        const Kind* const other = neighbour(k, step);
        if (!other || other->chosen == 0) continue;
        const Belief there = prior(k, other->arms[static_cast<std::size_t>(other->chosen)]);
        if (there.mean < best.mean) best = there;
    }
    return best;
}

/// The time of the arm that serves over the library's.
double Selector::now_over_library(const Kind& k) const {
    return k.chosen == 0 ? 1 : std::exp(belief(k, k.chosen).mean);
}

/// The part of the library's time that another arm may gain.
double Selector::doubt(const Kind& k) const {
    const double now = now_over_library(k);
    double most = k.offered ? 0 : not_found(k).gain(now);
    if (k.chosen != 0) most = std::max(most, belief(k, k.chosen).loss(1));
    for (int i = 1; i < static_cast<int>(k.arms.size()); ++i)
        if (i != k.chosen) most = std::max(most, belief(k, i).gain(now));
    return most;
}

double Selector::gain(const Kind& k) const {
    if (k.chosen == 0) return 0;
    if (!compared(k, k.chosen)) return k.arms[static_cast<std::size_t>(k.chosen)].gain;
    return seconds(k, 0) - seconds(k, k.chosen);
}

}  // namespace hopbine::select
