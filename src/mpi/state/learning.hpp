/// The choice by measuring for one kind of calls on a communicator: same collective, size class and
/// operands.
#pragma once
#include <mpi.h>

#include <optional>
#include <string>
#include <vector>

#include "mpi/state/chooser.hpp"
#include "mpi/state/summary_text.hpp"
#include "select/trials.hpp"

namespace hopbine::mpi {

/// Arm 0 is the MPI library. Every rank keeps its own, and all take the same turns.
class Learning {
public:
    /// `guess` serves the first calls: programs with few of a kind are not measured. One that was
    /// learned serves more, and stands until it is questioned.
    /// `barriers`: see select::Trials.
    Learning(Chosen guess, bool barriers);
    Learning(const Learning&) = delete;
    Learning& operator=(const Learning&) = delete;
    ~Learning();

    /// Whether the candidates are needed before the next turn.
    bool wants_candidates() const { return !trials_ && calls_ == guess_calls_; }
    /// Begins the trials of the library, the guess and other candidates.
    void begin(std::vector<Chosen> candidates);
    /// The arm that serves the next call. Collective over `comm`, inside the user's call.
    int turn(MPI_Comm comm);
    /// Whether the MPI library has won and serves the next call; counts it. False: turn() is to
    /// follow.
    bool library_serves() {
        if (trials_) return trials_->winner() == 0 && trials_->winner_serves();
        return learned_ && guess_ == 0 && calls_ < guess_calls_ && ++calls_;
    }
    /// Whether took() is to follow the call.
    bool measures() const {
        return trials_ ? trials_->measures() : !learned_ && calls_ == guess_calls_;
    }
    /// Seconds that this rank spent in the call. May end with a barrier on `comm`.
    void took(double seconds, MPI_Comm comm);

    const Chosen& arm(int i) const { return arms_[static_cast<std::size_t>(i)]; }
    int arms() const { return static_cast<int>(arms_.size()); }
    /// Why an arm serves, for statistics. Changes only when version() does.
    std::string reason(int arm) const;
    int version() const { return version_; }
    /// Whether both have settled for the same, or are one.
    bool stands_as(const Learning& other) const;
    /// The winner that this job has measured, and the times. Null: none, or not yet.
    const Chosen* measured_winner() const {
        return measured_.empty() || !trials_->settled() ? nullptr : &arm(trials_->winner());
    }
    /// The candidate that this job has measured to be the fastest of them, whether or not the MPI
    /// library is faster. Null: none, or not yet.
    const Chosen* fastest_candidate() const;
    /// Such as "13.4 us; mpi 16.2 us".
    const std::string& measured() const { return measured_; }
    /// The same with the winner's name: "ring 13.4 us; mpi 16.2 us".
    std::string measured_arms() const;
    /// Calls since a winner stands, and what the library would have taken for them.
    MeasuredCalls measured_calls() const;

private:
    void agree(MPI_Comm comm);

    std::vector<Chosen> arms_;
    int guess_ = 0, calls_ = 0, version_ = 0;
    int guess_calls_ = 2;
    bool learned_;
    std::string measured_;  ///< of the winner, then of the others; empty: not in this job
    double guess_seconds_ = 0, last_ended_ = 0;
    bool barriers_;
    std::optional<select::Trials> trials_;
};

/// Of all kinds of this rank's calls.
MeasuredCalls measured_calls();

}  // namespace hopbine::mpi
