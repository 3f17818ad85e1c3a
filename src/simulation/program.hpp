/// The messages of a schedule, as a simulator sees them: step by step, with rank, channel and size.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "schedule/algorithm.hpp"
#include "simulation/drawn_blocks.hpp"

namespace hopbine::simulation {

/// Rank `from` sends `parts` parts of blocks to rank `to`.
struct Message {
    int from, to, channel;
    std::uint32_t runs : 30;    ///< of neighbouring blocks, where they lie while messages are sent
    std::uint32_t reduces : 1;  ///< whether the receiver reduces what it receives
    std::uint32_t apart : 1;    ///< whether each run is a message of its own (Wire::per_run)
    std::int64_t parts;
};

/// How every rank copies its vector into the order of a permuted schedule, or out of it
/// (Traits::layout).
struct Permutation {
    std::int64_t runs = 0;   ///< of blocks that stay neighbours; 0: nothing is copied
    bool before = false;     ///< before the first step; else after the last one
    bool in_flight = false;  ///< while messages are in flight, as far as they allow
};

/// The messages of one step, sorted by line. A line is a channel of a rank, number rank * channels
/// + channel.
struct Messages {
    std::vector<Message> all;
    std::vector<int> first;     ///< messages that line l sends are all[first[l] .. first[l + 1])
    std::vector<int> received;  ///< number of messages that each line receives
};

class Program {
public:
    /// Throws Error as `resolve` does.
    Program(const Algorithm& a, const Problem& given);
    /// An alltoallv of blocks that have sizes of their own. A part is a byte, and vectors are of
    /// one byte: steps with equal moves differ by their blocks.
    Program(const Algorithm& a, const Problem& given, DrawnBlocksPtr blocks);
    const Algorithm& algorithm() const { return *algorithm_; }
    int ranks() const { return problem_.p; }
    /// Returns as many calls of this one after the other. A rank begins a call when it has
    /// completed the one before on all channels. Throws Error for more steps than have numbers.
    Program repeated(int calls) const;
    int calls() const { return calls_; }
    int steps() const { return calls_ * steps_of_call(); }
    int steps_of_call() const { return static_cast<int>(pattern_.size()); }
    /// Step of its call.
    int in_call(int step) const { return step % steps_of_call(); }
    int channels() const { return channels_; }
    int lines() const { return ranks() * channels_; }
    /// Number of parts of a rank's vector. All blocks, or those of one rank if every rank has its
    /// own (alltoall).
    std::int64_t parts() const { return parts_; }
    /// Bytes of a part of a vector of `bytes`.
    double part_bytes(double bytes) const { return bytes / static_cast<double>(parts_); }
    /// Pattern of a step, named by one of its steps. Steps of a pattern are equivalent.
    int pattern(int step) const { return pattern_[static_cast<std::size_t>(in_call(step))]; }
    /// Phase of a step. A rank begins a phase on all channels together, when all have completed the
    /// phase before.
    int phase(int step) const {
        return phase_[static_cast<std::size_t>(in_call(step))] +
               step / steps_of_call() * (phase_.back() + 1);
    }
    Permutation permutation() const;
    /// The messages of a step. They are computed in every call; callers that need them again keep
    /// them.
    Messages messages(int step) const;

private:
    void add(int rank, const Move& m, bool agrees, Messages& out) const;
    std::size_t runs(const Move& m) const;
    const Algorithm* algorithm_;
    Problem problem_;
    SchedulePtr schedule_;
    int channels_ = 1, calls_ = 1;
    std::int64_t parts_ = 1;
    std::vector<int> pattern_, phase_;
    DrawnBlocksPtr blocks_;  ///< null: all blocks have the same size
    SchedulePtr agreement_;  ///< before padded blocks: the largest of all is found
};

}  // namespace hopbine::simulation
