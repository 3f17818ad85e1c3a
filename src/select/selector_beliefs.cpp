// Beliefs: what an arm's time over the library's is expected to be.
#include <algorithm>
#include <cmath>

#include "select/selector.hpp"

namespace hopbine::select {

namespace {

/// Of a candidate of which nothing is known: as fast as the library, give or take a factor of 1.6
/// (docs/choice-errors: medians of measured candidates over the best one of a cell).
constexpr Belief kUnknown{0, 0.45};
/// Observations that kUnknown counts for.
constexpr double kAsMany = 2;
/// Ratios in neighbouring classes of sizes differ by this deviation, in the recorded times of
/// benchmarks/regret.
constexpr double kNeighbours = 0.25;
/// No number of calls tells the ratio better than this: machines drift.
constexpr double kSurest = 0.02;
/// Ranks wait for late ones, if the slowest rank's mean is more than this multiple of the least.
constexpr double kWaits = 3;

/// Observations of one number, and what was believed before.
struct Pool {
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
        return {mean,
                std::sqrt(std::max(squares / count - mean * mean, kNeighbours * kNeighbours))};
    }
};

}  // namespace

double Selector::seconds(const Kind& k, int arm) const {
    const Arm& library = k.arms[0];
    const bool waits =
        !crowded_ && !k.leaves && library.least > 0 && library.mean > kWaits * library.least;
    const Arm& a = k.arms[static_cast<std::size_t>(arm)];
    return a.calls == 0 ? 0 : waits ? a.least : a.mean;
}

/// Seconds of a call of the library, as far as known.
double Selector::expected_seconds(const Kind& k) const {
    return k.arms[0].calls > 0 ? seconds(k, 0) : k.weight * agreement_;
}

/// Finds what is believed of candidates that were not tried: what those that were have shown, of
/// all collectives and then of each.
void Selector::find_pool() {
    Pool all(kUnknown);
    std::map<Collective, std::vector<double>> measured;
    for (const Kind& k : kinds_)
        for (std::size_t i = 1; i < k.arms.size(); ++i)
            if (k.arms[i].calls > 0 && k.arms[0].calls > 0) {
                const double x = std::log(seconds(k, static_cast<int>(i)) / seconds(k, 0));
                all.add(x);
                measured[k.key.collective].push_back(x);
            }
    pool_.clear();
    for (const Kind& k : kinds_) {
        Pool own(all.belief());
        for (const double x : measured[k.key.collective]) own.add(x);
        pool_[k.key.collective] = own.belief();
    }
}

Belief Selector::unknown(Collective c) const {
    const auto found = pool_.find(c);
    return found == pool_.end() ? kUnknown : found->second;
}

/// What is believed of an arm before its own times: what the same algorithm has shown in
/// neighbouring sizes, or what is claimed of it, else what others have shown.
Belief Selector::prior(const Kind& k, const Arm& a) const {
    double sum = 0, weight = 0;
    for (const int step : {-1, 1, -2, 2}) {
        KindKey near = k.key;
        near.size_class += step;
        const auto found = by_key_.find(near);
        if (found == by_key_.end() || found->second->arms[0].calls == 0) continue;
        const Kind& other = *found->second;
        for (std::size_t i = 1; i < other.arms.size(); ++i)
            if (other.arms[i].name == a.name && other.arms[i].calls > 0) {
                const double w = 1.0 / std::abs(step);
                sum += w * std::log(seconds(other, static_cast<int>(i)) / seconds(other, 0));
                weight += w;
            }
    }
    if (weight > 0) return {sum / weight, kNeighbours / std::sqrt(std::min(weight, 1.0))};
    return a.claimed.deviation > 0 ? a.claimed : unknown(k.key.collective);
}

Belief Selector::belief(const Kind& k, int arm) const {
    const Arm& a = k.arms[static_cast<std::size_t>(arm)];
    Belief before = prior(k, a);
    if (a.calls == 0 || k.arms[0].calls == 0) return before;
    // What the arm itself has shown counts for more than a claim.
    before.deviation = std::max(before.deviation, kUnknown.deviation);
    const double variance =
        noise_ * noise_ * (1 / a.calls + 1 / k.arms[0].calls) + kSurest * kSurest;
    return before.with({std::log(seconds(k, arm) / seconds(k, 0)), std::sqrt(variance)});
}

/// The time of the arm that serves over the library's.
double Selector::now_over_library(const Kind& k) const {
    return k.chosen == 0 ? 1 : std::exp(belief(k, k.chosen).mean);
}

/// The part of the library's time that another arm may gain.
double Selector::doubt(const Kind& k) const {
    const double now = now_over_library(k);
    double most = k.offered ? 0 : unknown(k.key.collective).gain(now);
    for (int i = 1; i < static_cast<int>(k.arms.size()); ++i)
        if (i != k.chosen) most = std::max(most, belief(k, i).gain(now));
    return most;
}

double Selector::gain(const Kind& k) const {
    if (k.chosen == 0) return 0;
    if (k.arms[0].calls == 0 || k.arms[static_cast<std::size_t>(k.chosen)].calls == 0)
        return k.arms[static_cast<std::size_t>(k.chosen)].gain;
    return seconds(k, 0) - seconds(k, k.chosen);
}

}  // namespace hopbine::select
