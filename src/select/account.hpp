/// What hopbine spent and earned in a job, in seconds of this rank against the MPI library alone.
///
/// The rule: no trial, set-up or agreement starts unless what was spent and its expected cost are
/// within the allowance. So a job loses little at any time, and keeps half of what it gains.
/// Several threads may enter sums.
#pragma once
#include <algorithm>
#include <atomic>

namespace hopbine::select {

class Account {
public:
    /// The part of the time in collectives that may be spent on learning. With 1/100 short drawn
    /// programs lost up to 2 %, with 1/200 up to 0.8 % (docs/choice.md).
    static constexpr double kShare = 1.0 / 200;
    /// Seconds that a call takes to be looked at, counted and sometimes timed: 1,000 calls of 56
    /// kinds, 2 ranks on cores of their own, Open MPI 5 (benchmarks/learning, docs/choice.md).
    static constexpr double kLook = 5e-8;
    /// The part of what was earned that may be spent on learning more.
    static constexpr double kReinvested = 0.5;
    explicit Account(double share = kShare) : share_(share) {}

    /// The start of the job: seconds of hopbine's own in MPI_Init, and of the library in it. The
    /// library's pay for hopbine's, but for nothing else.
    void start(double own, double library) {
        spend(own);
        started_ = std::min(own, share_ * library);
        start_left_ = own - started_;
    }
    /// Seconds in so many collectives of the program, whatever served them.
    void pass_time(double seconds, double calls) {
        add(in_collectives_, seconds);
        add(calls_, calls);
    }
    /// Set-up, counting, plans, agreements, barriers, and what trial calls took more than the
    /// library's.
    void spend(double seconds) { add(spent_, seconds); }
    /// What calls took less than the library's; negative: more, which was spent.
    /// By the slowest rank's times, and `here` by this rank's.
    void earn(double seconds, double here) {
        if (seconds <= 0) return spend(-seconds);
        add(earned_, seconds);
        add(saved_, here);
    }
    /// What the model, or what is known of the MPI library, claims for calls in which no candidate
    /// has been compared with the library. Negative where one has, and the claim ends.
    void claim(double seconds) { add(claimed_, seconds); }
    /// Sets seconds aside for what was decided on; negative: they are free again.
    void reserve(double seconds) { add(reserved_, seconds); }

    double share() const { return share_; }
    double in_collectives() const { return in_collectives_; }
    /// What served calls took less than the library's, where both were measured, on this rank.
    double saved() const { return saved_; }
    /// With what calls took to be looked at, which is not decided on.
    double spent() const { return spent_ + kLook * calls_; }
    double allowance() const { return allowance(kReinvested); }
    /// What may still be spent.
    double balance() const { return allowance() - spent_ - reserved_; }
    /// What the job has lost beyond the allowance, but for its start: here all that was earned
    /// counts. Negative: it may still lose that.
    double overdraft() const { return spent_ - start_left_ - allowance(1); }

private:
    double allowance(double of_earned) const {
        return started_ + share_ * in_collectives_ + of_earned * earned_ + claimed_;
    }
    /// Relaxed: a decision by sums of which one is a call behind is as good.
    using Sum = std::atomic<double>;
    static void add(Sum& to, double seconds) { to.fetch_add(seconds, std::memory_order_relaxed); }

    const double share_;
    double started_ = 0, start_left_ = 0;
    Sum in_collectives_{0}, calls_{0}, spent_{0}, earned_{0}, saved_{0}, claimed_{0}, reserved_{0};
};

}  // namespace hopbine::select
