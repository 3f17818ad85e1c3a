/// Exact sums of calls that go on by themselves: in one step, in the format of all values.
#pragma once
#include <memory>
#include <optional>

#include "mpi/device/device_mirror.hpp"
#include "mpi/requests/kept.hpp"
#include "mpi/sums/exact_sum.hpp"
#include "mpi/sums/words_call.hpp"

namespace hopbine::mpi {

class LaterSum {
public:
    LaterSum(const Call& c, const ExactCall& exact);
    /// The call to make instead. Its words live as long as this.
    const Call& call() const { return words_.call(); }
    /// Reads the program's buffers. `state`: of the communicator's calls in this form. Returns an
    /// MPI error code.
    int begin(const Communicator& state) noexcept;
    /// Writes the sums, unless the call has ended with an error. Returns an MPI error code.
    int end(int error) noexcept;

private:
    Call given_;
    KeptArrays arrays_;
    WordsCall words_;
    Scratch memory_;
    std::optional<DeviceMirror> mirror_;  ///< of the buffers, where some are on a device
};

/// Empty: the call is served as any other. Where it is a sum that then is rounded, that is told at
/// the job's end.
std::unique_ptr<LaterSum> later_sum_of(const Call& c, Form form);

}  // namespace hopbine::mpi
