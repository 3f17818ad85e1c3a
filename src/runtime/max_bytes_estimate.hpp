/// Estimates the maximum send size over all ranks of an alltoallv, equal on all ranks.
///
/// Choices by size depend on it before the call.
/// - A rank knows its own counts only. The first estimate is an allreduce.
/// - A plan whose messages all have headers sends the number along with the data. All ranks know it
///   when the call completes, and use it as the estimate for the next call.
/// - When that number would have led to another choice, the next calls use an allreduce again.
/// - Other plans and the MPI library send no number: the result of an allreduce is then used for
///   several calls.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

namespace hopbine::mpi {

class MaxBytesEstimate {
public:
    /// Begins a call in which this rank sends `mine` bytes. Returns the estimate. `most_of_all`
    /// returns the maximum of its argument over all ranks; not all calls need it.
    template <class F>
    std::int64_t begin(std::int64_t mine, F&& most_of_all) {
        asked_ = left_ == 0;
        if (!asked_) {
            --left_;
            return known_;
        }
        const std::int64_t before = known_;
        known_ = most_of_all(mine);
        relied_ = std::bit_width(static_cast<std::uint64_t>(before)) ==
                          std::bit_width(static_cast<std::uint64_t>(known_))
                      ? std::min(2 * relied_, kMostCalls)
                      : kCalls;
        return known_;
    }
    /// Ends a call that sent the number to all ranks. `right`: the choice was the right one for it.
    void end_with(std::int64_t bytes, bool right) {
        known_ = bytes;
        if (!right)
            wary_ = kCalls;
        else if (wary_ > 0)
            --wary_;
        left_ = wary_ > 0 ? 0 : 1;
    }
    /// Ends a call that sent no number.
    void end() {
        if (asked_) left_ = relied_;
    }

private:
    static constexpr int kCalls = 16, kMostCalls = 256;
    std::int64_t known_ = 0;
    int left_ = 0;         ///< calls for which `known_` is still used
    int wary_ = 0;         ///< calls that use an allreduce after a wrong choice
    int relied_ = kCalls;  ///< calls for which the result of an allreduce is used: doubled whenever
                           ///< it has not changed
    bool asked_ = false;
};

}  // namespace hopbine::mpi
