/// The first calls on a communicator, which the MPI library serves and of which nothing is learned.
///
/// What a communicator and the kinds of its calls take to begin is spent once its calls may pay for
/// it (select::Account). Where nothing is lost by that, they are counted until then. Some are
/// looked at for their size, the same on all ranks: long calls pay sooner.
#pragma once
#include <cstdint>

namespace hopbine::mpi {

class FirstCalls {
public:
    /// Whether the next call is one of them, and need not be looked at.
    bool pass() const { return left_ > 0; }
    bool ended() const { return at_ == kEnded; }
    /// Counts a call that is passed on.
    void count() { --left_; }
    /// One in so many, on any communicator, is timed for the account. To read the clock twice, and
    /// to be called again behind the library, takes 60 ns where ranks do not share cores: 1/200
    /// (Account::kShare) of 12 calls of 1 us. A prime number, so that the calls of a loop are
    /// timed in turns.
    static constexpr unsigned kPerTimed = 13;
    /// Looks at the next call, of this weight (Learning::weight()), for all since the last look.
    /// Returns whether the first calls have ended. `share`: of the time in collectives that may be
    /// spent, or is claimed to be gained.
    bool look(double weight, double share) {
        const std::int64_t calls = at_ == 0 ? kFirstLook : 2 * at_;
        before_ = weight_;
        weight_ += weight * static_cast<double>(calls - at_);
        left_ = at_ = calls;
        if (share * weight_ < kBeginning) return false;
        left_ = 0;
        at_ = kEnded;
        return true;
    }
    /// The MPI library has refused the last call that was counted, on this rank: it has not
    /// happened, and another one follows that the other ranks take for it.
    void undo() {
        ++left_;
        if (left_ != at_) return;  // it was not looked at
        weight_ = before_;
        at_ = at_ == kFirstLook ? 0 : at_ / 2;
        left_ = 0;
    }

private:
    /// A call is looked at whose number is this one, or a power of two above it.
    static constexpr std::int64_t kFirstLook = 32;
    /// Weight of the calls that take as long as a communicator and its kinds to begin. In
    /// benchmarks/learning/many_kinds.c one with 56 kinds takes a rank 100 us, as long as ten of
    /// its calls of weight 1 (docs/choice.md).
    static constexpr double kBeginning = 10;
    static constexpr std::int64_t kEnded = -1;

    std::int64_t left_ = kFirstLook - 1;  ///< calls before the next look
    std::int64_t at_ = 0;                 ///< number of the call that was looked at last
    double weight_ = 0;                   ///< of the calls so far
    double before_ = 0;                   ///< the same before the last look
};

}  // namespace hopbine::mpi
