/// Drawn programs: sequences of collective calls, with ranks that come late to them.
///
/// Nothing here knows how long a call takes, so that programs serve a replay of recorded times and
/// tests with invented ones.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "regret/random.hpp"

namespace hopbine::regret {

enum class Family {
    many_kinds,   ///< all kinds in turns on some communicators, as the steps of an application
    one_kind,     ///< one kind on one communicator
    short_lived,  ///< a communicator, five calls on it, and its end, again and again
    phases,       ///< several loops, one after the other, over kinds of their own
    changing,     ///< many kinds, on a machine that is another one from some call on
};
inline constexpr int kFamilies = 5;
inline const char* name(Family f) {
    static constexpr const char* kNames[kFamilies] = {"many_kinds", "one_kind", "short_lived",
                                                      "phases", "changing"};
    return kNames[static_cast<int>(f)];
}

/// Ranks as bits.
using Ranks = std::uint32_t;

/// What happens next in a program.
struct Event {
    enum class What { call, freed } what = What::call;
    int communicator = 0;  ///< always of the same members; never one that was freed before
    Ranks members = 0;
    int kind = 0;
    std::int64_t at = 0;     ///< calls of the kind before this one
    std::int64_t index = 0;  ///< events before this one
    bool changed = false;    ///< the machine is the other one
};

/// How late ranks come to calls, in calls of the library: up to `most`, drawn anew for each call or
/// always the same for a rank.
struct Skew {
    double most = 0;
    bool systematic = false;
};

class Program {
public:
    /// `calls`: of each kind on each communicator; or the number of short-lived communicators.
    /// `kinds`: those that can be called are 0..kinds - 1; short-lived communicators use `small`.
    Program(Family family, std::int64_t calls, int kinds, const std::vector<int>& small,
            std::uint64_t seed);

    int ranks() const { return ranks_; }
    const Skew& skew() const { return skew_; }
    std::int64_t events() const { return events_; }
    /// In calls of the library.
    double lateness(const Event& e, int rank) const {
        const auto call = skew_.systematic ? 0 : static_cast<std::uint64_t>(e.index) + 1;
        return skew_.most == 0 ? 0 : skew_.most * unit(mixed(seed_, call, rank));
    }

    /// Goes through the events.
    class Walk {
    public:
        explicit Walk(const Program& program)
            : program_(&program), calls_(static_cast<std::size_t>(program.kinds_)) {}
        /// False: the program has ended.
        bool next(Event& e);

    private:
        const Program* program_;
        std::size_t phase_ = 0, step_ = 0;
        std::int64_t round_ = 0, index_ = 0;
        int born_ = 0;  ///< short-lived communicators so far
        std::vector<std::int64_t> calls_;
    };
    Walk walk() const { return Walk(*this); }

private:
    struct Step {
        int communicator;
        Ranks members;
        int kind;
    };
    struct Phase {
        std::vector<Step> steps;
        std::int64_t rounds;
        bool short_lived = false;
    };
    static constexpr int kShortLived = 1000;  ///< numbers of short-lived communicators from here on

    Ranks all() const { return (Ranks{1} << ranks_) - 1; }
    std::vector<int> some(Random& random, int least) const;
    void add_loop(Random& random, const std::vector<int>& kinds, std::int64_t rounds);

    int kinds_, ranks_;
    std::uint64_t seed_;
    Skew skew_;
    std::vector<Phase> phases_;
    std::int64_t events_ = 0, changes_ = -1;  ///< event from which the machine is another; -1: none
};

inline Program::Program(Family family, std::int64_t calls, int kinds, const std::vector<int>& small,
                        std::uint64_t seed)
    : kinds_(kinds), seed_(seed) {
    Random random(mixed(seed, static_cast<int>(family)));
    ranks_ = random.whole(2, 4);
    if (random.chance(0.6)) skew_ = {random.scale(0.1, 10), random.chance(0.5)};
    switch (family) {
    case Family::one_kind:
        phases_.push_back({{{0, all(), random.whole(0, kinds - 1)}}, calls});
        break;
    case Family::short_lived: {
        Phase loop{{}, calls, true};
        for (int i = 0; i < 5; ++i)
            loop.steps.push_back({0, all(),
                                  small[static_cast<std::size_t>(
                                      random.whole(0, static_cast<int>(small.size()) - 1))]});
        phases_.push_back(loop);
        break;
    }
    case Family::phases:
        for (int i = random.whole(2, 6); i > 0; --i) add_loop(random, some(random, 1), calls);
        break;
    case Family::many_kinds:
    case Family::changing: add_loop(random, some(random, std::min(8, kinds)), calls); break;
    }
    for (const Phase& p : phases_)
        events_ += p.rounds * static_cast<std::int64_t>(p.steps.size() + p.short_lived);
    if (family == Family::changing)
        changes_ =
            static_cast<std::int64_t>(static_cast<double>(events_) * (0.2 + 0.6 * random.real()));
}

/// Some kinds, at least so many, in any order.
inline std::vector<int> Program::some(Random& random, int least) const {
    std::vector<int> out;
    for (int k = 0; k < kinds_; ++k) out.push_back(k);
    for (std::size_t k = out.size(); k > 1; --k)
        std::swap(out[k - 1],
                  out[static_cast<std::size_t>(random.whole(0, static_cast<int>(k) - 1))]);
    out.resize(static_cast<std::size_t>(random.whole(least, kinds_)));
    return out;
}

/// A loop over kinds on up to three communicators. The first has all ranks; others may be halves,
/// which do the same beside each other.
inline void Program::add_loop(Random& random, const std::vector<int>& kinds, std::int64_t rounds) {
    Phase loop{{}, rounds};
    const Ranks half = (Ranks{1} << (ranks_ / 2)) - 1;
    for (int c = 0, count = random.whole(1, 3); c < count; ++c) {
        const bool halves = c > 0 && ranks_ == 4 && random.chance(0.5);
        for (int k : kinds) {
            loop.steps.push_back({3 * c + halves, halves ? half : all(), k});
            if (halves) loop.steps.push_back({3 * c + 2, all() & ~half, k});
        }
    }
    phases_.push_back(loop);
}

inline bool Program::Walk::next(Event& e) {
    const std::vector<Phase>& phases = program_->phases_;
    if (phase_ == phases.size()) return false;
    const Phase& now = phases[phase_];
    e = {};
    e.index = index_++;
    e.changed = program_->changes_ >= 0 && e.index >= program_->changes_;
    if (step_ < now.steps.size()) {
        const Step& s = now.steps[step_++];
        e.members = s.members;
        e.kind = s.kind;
        e.at = calls_[static_cast<std::size_t>(s.kind)]++;
        e.communicator = now.short_lived ? kShortLived + born_ : s.communicator;
    } else {
        e.what = Event::What::freed;
        e.communicator = kShortLived + born_++;
        e.members = program_->all();
        ++step_;
    }
    if (step_ == now.steps.size() + now.short_lived) {
        step_ = 0;
        if (++round_ == now.rounds) round_ = 0, ++phase_;
    }
    return true;
}

}  // namespace hopbine::regret
