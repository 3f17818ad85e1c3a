/// The choice by measuring: the MPI library and hopbine's candidates take turns in the first calls
/// of a kind; the fastest stays.
///
/// The ranks decide alike without talking: turns depend on the number of calls and on agreed
/// numbers only. After each round they agree on the slowest rank's time of each arm.
/// Related work: STAR-MPI (Faraj, Yuan, Lowenthal, ICS'06) and ADCL measure all algorithms that
/// they know; here the count of the placement leaves two to four.
#pragma once
#include <cstdint>
#include <vector>

#include "select/trial_blocks.hpp"

namespace hopbine::select {

/// One arm is what may serve a call: arm 0 is the MPI library, the others are candidates.
class Trials {
public:
    /// Trials of arms 0..arms - 1. Arm `warm` has served a call before, which took this rank
    /// `warm_seconds`. `barriers`: a rank may leave a call before others have done their part, as
    /// the root of a bcast; a block then ends with a barrier, whose time counts.
    Trials(int arms, int warm, double warm_seconds, bool barriers);
    /// Trials in which `winner` stands, as an earlier job has found. It has served
    /// learned_calls(winner) calls, and is now compared with the library; if it is the library,
    /// with every candidate.
    static Trials learned(int arms, int winner, bool barriers);
    /// Calls that a winner of an earlier job serves before it is questioned. Few, if it is not the
    /// library: the machine may have changed, and the library is the way back.
    static int learned_calls(int winner);

    /// Whether the ranks must agree on report() before the next turn.
    bool agreement_due() const { return !queue_.empty() && at_ == queue_.size(); }
    /// This rank's seconds of a call of each arm in the round that has ended, 0 without a turn; and
    /// of the library's periods, without barriers; and less than 0 what barriers and agreements
    /// took.
    std::vector<double> report() const;
    /// Ends the round. `slowest`: the maximum of report() over all ranks.
    void agree(const std::vector<double>& slowest);

    /// The arm that serves the next call. Counts the call.
    int turn();
    /// The short form of turn() while the winner stands: counts the call. False: nothing is
    /// counted, and turn() is to follow.
    bool winner_serves() {
        if (phase_ != Phase::settled || calls_ + 1 >= soonest_) return false;
        ++calls_;
        return true;
    }
    /// Whether the time of the call that turn() began is needed.
    bool measures() const { return measures_; }
    /// Whether a barrier is to follow the call that turn() began.
    bool barrier_follows() const {
        return barriers_ && measures_ && (at_ == queue_.size() || queue_[at_].arm != arm_);
    }
    /// Whether the call that turn() began is the first of a round or a check.
    bool first() const { return at_ == 1; }
    /// Seconds that this rank spent in the call that turn() began, and in the barrier after it.
    /// `period`: seconds since the call before ended, 0 if that is not known. A program that waits
    /// between its calls may wait for what a call of the library left to do.
    void took(double seconds, double barrier, double period) {
        overhead_ += barrier;
        times_[static_cast<std::size_t>(arm_)].push_back(seconds + barrier);
        if (arm_ == 0 && period > 0) library_.push_back(period);
    }
    void took(double seconds) { took(seconds, 0, seconds); }
    /// Seconds that the agreement took on this rank. They count with the next round or check.
    void agreement_took(double seconds) { overhead_ += seconds; }

    /// Whether a winner stands. It may be questioned again by a later trial.
    bool settled() const { return phase_ != Phase::rounds; }
    int winner() const { return winner_; }
    /// Calls since the winner stands.
    std::int64_t standing_calls() const { return calls_; }
    /// Agreed seconds of an arm: the median of its rounds. Infinite before the first.
    double seconds(int arm) const;

private:
    enum class Phase { rounds, settled, check };
    struct Turn {
        int arm;
        bool measured;
    };
    const TrialBlocks& blocks() const;
    const Round& round() const;
    const Check& check() const;
    void forget_first_rounds();
    double period(const std::vector<double>& slowest, double barrier) const;
    void begin_round();
    void empty_queue();
    void add_block(int arm, const Block& b);
    /// The library stays up to this multiple of the fastest arm's time.
    double tie() const;
    /// Whether an arm is behind `least`, the fastest arm's seconds, by more than this round allows.
    bool too_slow(int arm, double least) const;
    void leave_out_slow(bool keep_library);
    void end_round(double shortest);
    void decide();
    bool close_to_library() const;
    void compare_in_loops();
    void settle(int winner);
    void end_check(double shortest);
    void keep_apart(double overhead, double shortest, std::size_t first);
    void begin_check(int arm);
    void wait();
    int due() const;
    int fastest() const;
    Trials(int arms, bool barriers);

    Phase phase_ = Phase::rounds;
    int round_ = 0, arm_ = 0, winner_ = 0, checked_ = 0, warm_ = 0;
    bool barriers_, measures_ = false, confirming_ = false;
    bool in_loops_ = false;     ///< the last round has begun
    bool long_ = false;         ///< blocks are long: a barrier takes longer than a call
    double overhead_ = 0;       ///< seconds of this rank in barriers and agreements
    std::int64_t calls_ = 0;    ///< since the winner stands
    std::int64_t soonest_ = 0;  ///< least of next_ but the winner's
    int library_calls_ = 1;     ///< in its block of this round or check
    std::vector<Turn> queue_;
    std::size_t at_ = 0;
    std::vector<bool> in_;                     ///< arms that are still in the trials
    std::vector<bool> far_;                    ///< arms that were far slower in their first call
    std::vector<bool> cold_;                   ///< arms that have not run in this job
    std::vector<std::vector<double>> times_;   ///< [arm] this rank's, of this round
    std::vector<double> library_;              ///< periods of the library's calls
    std::vector<std::vector<double>> rounds_;  ///< [arm] agreed, of all rounds
    std::vector<std::int64_t> next_, pause_;   ///< [arm] call of the next check, calls up to it
};

}  // namespace hopbine::select
