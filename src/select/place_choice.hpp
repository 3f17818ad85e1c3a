/// Where a call on GPU memory is served: in the device's memory (direct), or on copies in host
/// memory (staged).
///
/// - A model of both decides at first. Trials then compare them in the job.
/// - Each rank decides for itself: a message is the same bytes from either memory. But what a call
///   takes depends on where the other ranks serve it. So when a trial is made follows from the
///   calls and the model alone, which are the same on ranks that make the same calls: these try
///   alike without talking.
/// - A trial starts when its modelled loss is within the share of the modelled time of all calls
///   that may be spent on learning.
#pragma once
#include <array>
#include <cstdint>
#include <map>

#include "schedule/collective.hpp"
#include "select/account.hpp"
#include "select/gpu_times.hpp"

namespace hopbine::select {

class PlaceChoice {
public:
    /// Calls of a collective on as many ranks with bytes of one class (size_class.hpp).
    struct Key {
        Collective collective;
        int ranks, size_class;
        auto operator<=>(const Key&) const = default;
    };

    explicit PlaceChoice(double share = Account::kShare) : share_(share) {}

    /// Where the next call is served.
    Place place(const Key& key) const;
    /// Counts a call that was served there, in seconds.
    void took(const Key& key, Place place, double seconds);
    /// Whether the next call is one of a trial.
    bool tries(const Key& key) const;

private:
    static constexpr int kCalls = 4;  ///< of a trial in each place; the first warms up
    static constexpr std::int64_t kFirst = 4, kSpacing = 8;  ///< calls before, and between trials
    static constexpr double kHopeless = 2;  ///< times as long: there is no other trial
    struct Kind {
        std::int64_t calls = 0, next = kFirst;
        Place serves;
        int tried = 0;  ///< calls of the trial under way, from 1; 0: there is none
        bool hopeless = false;
        std::array<double, 2> least{};  ///< seconds, of the trial, by place; 0: none
    };
    static Place model(const Key& key);
    static double modelled(const Key& key, Place place);
    /// Where the next call of a trial is served: first as the model says.
    static Place trial_place(const Key& key, const Kind& k);
    bool may_try(const Key& key, const Kind& k) const;
    void end_trial(Kind& k, Place first);

    const double share_;
    std::map<Key, Kind> kinds_;
    double time_ = 0, spent_ = 0;  ///< modelled seconds: of all calls, and lost in trials
};

}  // namespace hopbine::select
