/// Recorded times of a job, and a machine that repeats them.
#pragma once
#include <array>
#include <iosfwd>

#include "regret/machine.hpp"

namespace hopbine::regret {

/// Times of calls in the order of their recording.
struct Times {
    std::vector<CallTimes> all;
    double mean = 0;  ///< whole seconds, without the latest calls

    bool empty() const { return all.empty(); }
    void find_mean();
};

/// Times of one arm.
struct Series {
    Times opening, first, apart;
    std::array<Times, Machine::kSettled> early;  ///< in a block of calls, by position
    Times late;                                  ///< later in it

    /// The times that fit a call. Where no block was so long, the longest have their last position.
    const Times& of(Moment moment, int position) const;
    /// What is missing of them throws Error. `library`: it has no opening calls.
    void finish(bool library);
};

/// What `record.py` has written (README.md has the format).
struct Recording {
    std::string name, library, network;
    int ranks = 0, cores = 0;
    std::vector<Kind> kinds;
    std::vector<std::vector<Series>> series;  ///< [kind][arm]
    Times agreement, barrier;
};

/// Reads one. Throws Error naming `name` and the line.
Recording read_recording(std::istream& in, const std::string& name);

/// Repeats a recording, from a drawn place in it. All arms of a kind are near the same moment of
/// the recorded job: what slowed the machine for a while slows all of them.
class RecordedMachine : public Machine {
public:
    RecordedMachine(const Recording& recording, std::uint64_t seed)
        : recording_(recording), seed_(seed) {}
    const std::vector<Kind>& kinds() const override { return recording_.kinds; }
    CallTimes call(const Timed& call) const override;
    double agreement(std::int64_t n) const override;
    double barrier(std::int64_t n) const override;
    using Machine::mean;
    double mean(const Timed& call) const override { return times(call).mean; }
    double mean_agreement() const override { return recording_.agreement.mean; }
    double mean_barrier() const override { return recording_.barrier.mean; }
    bool crowded() const override;
    std::string library() const override;

private:
    const Times& times(const Timed& c) const {
        return recording_.series[static_cast<std::size_t>(c.kind)][static_cast<std::size_t>(c.arm)]
            .of(c.moment, c.position);
    }
    const CallTimes& repeated(const Times& times, std::uint64_t what, std::int64_t n) const;
    const Recording& recording_;
    std::uint64_t seed_;
};

}  // namespace hopbine::regret
