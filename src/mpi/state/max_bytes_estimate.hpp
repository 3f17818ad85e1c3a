/// How much the rank that sends most sends in an alltoallv, known to all ranks before the call at
/// next to no cost: choices by size rest on it.
///
/// A rank knows its own counts only. The ranks ask each other (an allreduce) at first. A plan whose
/// messages all have headers tells it along with the data, so that every rank knows it of this call
/// when it is over, and expects as much of the next; where another choice would then have been
/// right, the next calls ask again. What others serve tells nothing: there the answer is relied on
/// for some calls.
#pragma once
#include <mpi.h>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace hopbine::mpi {

class MaxBytesEstimate {
public:
    /// What all ranks go by in the call that begins; `mine` is what this rank sends. Asks where it
    /// must.
    std::int64_t before(std::int64_t mine, MPI_Comm comm) {
        asked_ = left_ == 0;
        if (!asked_) {
            --left_;
            return known_;
        }
        const std::int64_t before = known_;
        PMPI_Allreduce(&mine, &known_, 1, MPI_INT64_T, MPI_MAX, comm);
        relied_ = std::bit_width(static_cast<std::uint64_t>(before)) ==
                          std::bit_width(static_cast<std::uint64_t>(known_))
                      ? std::min(2 * relied_, kMostCalls)
                      : kCalls;
        return known_;
    }
    /// The call is over and told all ranks what it was; `right` is whether the choice was the one
    /// for that.
    void told(std::int64_t bytes, bool right) {
        known_ = bytes;
        if (!right)
            wary_ = kCalls;
        else if (wary_ > 0)
            --wary_;
        left_ = wary_ > 0 ? 0 : 1;
    }
    /// The call is over and told nothing.
    void untold() {
        if (asked_) left_ = relied_;
    }

private:
    static constexpr int kCalls = 16, kMostCalls = 256;
    std::int64_t known_ = 0;
    int left_ = 0,
        wary_ = 0;  ///< calls for which `known_` is relied on; calls that ask after a wrong guess
    int relied_ = kCalls;  ///< calls for which an answer is relied on: twice as many whenever it is
                           ///< what it was
    bool asked_ = false;
};

}  // namespace hopbine::mpi
