/// Exact sums of calls that go on by themselves: in the format of all values, or in a window that
/// the ranks agree on when the call has its turn.
#pragma once
#include <memory>
#include <optional>

#include "mpi/arguments/kept.hpp"
#include "mpi/device/device_mirror.hpp"
#include "mpi/sums/exact_sum.hpp"
#include "mpi/sums/words_call.hpp"

namespace hopbine::mpi {

class LaterSum {
public:
    LaterSum(const Call& c, const ExactCall& exact);
    /// The call to make instead. Its words live as long as this.
    const Call& call() const { return words_->call(); }
    /// The ranks are to agree on a window if the format of all values is long: the same on all.
    /// Before begin().
    void ask_for_window();
    bool asks_for_window() const { return asks_; }
    /// The bits that this rank's numbers need. After begin().
    sums::Range range() const;
    /// The words are in the window for the numbers of all ranks, or in the format of all values.
    /// After begin(), where it asks for a window.
    void use_window(const sums::Range& all);
    void use_all_values();
    /// Reads the program's buffers. `state`: of the communicator's calls in this form. Returns an
    /// MPI error code.
    int begin(const Communicator& state) noexcept;
    /// Writes the sums, unless the call has ended with an error. Returns an MPI error code.
    int end(int error) noexcept;

private:
    void make_words(const sums::Format& format);

    Call given_;
    KeptArrays arrays_;
    const Summand of_;
    const int rank_, ranks_;
    bool asks_ = false, unread_ = false;
    std::optional<WordsCall> words_;
    Scratch memory_;
    std::optional<DeviceMirror> mirror_;  ///< of the buffers, where some are on a device
};

/// Runs a call, of a sum or of none, by `run`, which returns an MPI error code. Returns the call's.
template <class Run>
int run_as_sum(LaterSum* sum, const Communicator& state, Run&& run) noexcept {
    const int begun = sum ? sum->begin(state) : MPI_SUCCESS, error = run();
    return sum ? sum->end(begun != MPI_SUCCESS ? begun : error) : error;
}

/// Empty: the call is served as any other. Where it is a sum that then is rounded, that is told at
/// the job's end.
std::unique_ptr<LaterSum> later_sum_of(const Call& c, Form form);

}  // namespace hopbine::mpi
