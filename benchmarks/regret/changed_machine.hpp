/// A machine after something has happened to it: other jobs, another node's failure, a new clock.
#pragma once
#include <algorithm>
#include <cmath>

#include "regret/machine.hpp"
#include "regret/random.hpp"

namespace hopbine::regret {

/// Takes some times from another machine: those of the arms of the same number, or of the last arm
/// of kinds that have fewer there, times a factor that is drawn for each arm of a collective.
class ChangedMachine : public Machine {
public:
    /// `deviation`: of the logarithm of the factors.
    ChangedMachine(const Machine& before, const Machine& other, double deviation,
                   std::uint64_t seed)
        : before_(before), other_(other), deviation_(deviation), seed_(seed) {
        for (const Kind& kind : before.kinds()) {
            const auto& all = other.kinds();
            const auto same = std::ranges::find_if(all, [&](const Kind& k) {
                return k.collective == kind.collective && k.bytes == kind.bytes;
            });
            there_.push_back(same == all.end() ? -1 : static_cast<int>(same - all.begin()));
        }
    }
    const std::vector<Kind>& kinds() const override { return before_.kinds(); }
    CallTimes call(const Timed& c) const override {
        Timed moved = c;
        const CallTimes t = place(moved.kind, moved.arm).call(moved);
        const double f = factor(c.kind, c.arm);
        return {t.whole * f, t.least * f};
    }
    double agreement(std::int64_t n) const override { return other_.agreement(n); }
    double barrier(std::int64_t n) const override { return other_.barrier(n); }
    double mean(const Timed& c) const override {
        Timed moved = c;
        return place(moved.kind, moved.arm).mean(moved) * factor(c.kind, c.arm);
    }
    double mean_agreement() const override { return other_.mean_agreement(); }
    double mean_barrier() const override { return other_.mean_barrier(); }
    bool crowded() const override { return before_.crowded(); }

private:
    /// Where an arm's times are from; its numbers become those that it has there.
    const Machine& place(int& kind, int& arm) const {
        const int there = there_[static_cast<std::size_t>(kind)];
        if (there < 0) return before_;
        kind = there;
        const auto& arms = other_.kinds()[static_cast<std::size_t>(there)].arms;
        arm = std::min(arm, static_cast<int>(arms.size()) - 1);
        return other_;
    }
    double factor(int kind, int arm) const {
        const auto collective =
            std::hash<std::string>{}(before_.kinds()[static_cast<std::size_t>(kind)].collective);
        return std::exp(deviation_ * Random(mixed(seed_, collective, arm)).normal());
    }
    const Machine& before_;
    const Machine& other_;
    double deviation_;
    std::uint64_t seed_;
    std::vector<int> there_;  ///< kinds of the other machine; -1: none
};

}  // namespace hopbine::regret
