/// A schedule as a simulator sees it: who sends how much to whom, step by step, on which channel.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "schedule/algorithm.hpp"

namespace hopbine::simulation {

/// Rank `from` sends `parts` of blocks to rank `to`.
struct Message {
    int from, to, channel;
    std::int64_t parts;
};

/// The messages of one step, sorted by line: a line is a rank's channel, number rank * channels +
/// channel.
struct Messages {
    std::vector<Message> all;
    std::vector<int> first;     ///< those that line l sends are all[first[l] .. first[l + 1])
    std::vector<int> received;  ///< how many line l receives
};

class Program {
public:
    /// Throws Error as `resolve` does.
    Program(const Algorithm& a, const Problem& given);
    const Algorithm& algorithm() const { return *algorithm_; }
    int ranks() const { return problem_.p; }
    int steps() const { return static_cast<int>(pattern_.size()); }
    int channels() const { return channels_; }
    int lines() const { return ranks() * channels_; }
    /// What a rank's vector is divided in: all blocks, or those of one rank where each rank has its
    /// own (alltoall).
    std::int64_t parts() const { return parts_; }
    /// Steps with equal numbers are alike; the number is one of them.
    int pattern(int step) const { return pattern_[static_cast<std::size_t>(step)]; }
    /// Phase of a step: a rank begins a phase with all channels at once, when all have finished
    /// what is before.
    int phase(int step) const { return phase_[static_cast<std::size_t>(step)]; }
    /// The messages of a step. Made new with each call: a caller that needs them again keeps them.
    Messages messages(int step) const;

private:
    const Algorithm* algorithm_;
    Problem problem_;
    SchedulePtr schedule_;
    int channels_ = 1;
    std::int64_t parts_ = 1;
    std::vector<int> pattern_, phase_;
};

}  // namespace hopbine::simulation
