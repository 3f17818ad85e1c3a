/// Exact sums (HOPBINE_SUMS=exact): MPI_SUM of floating-point numbers, correctly rounded.
///
/// A call becomes one or two calls on whole numbers, which any algorithm or the MPI library serves.
/// In one step where the format of all values is short, or a window that was right in the last call
/// is tried; otherwise the ranks first agree on a window.
#pragma once
#include <optional>

#include "mpi/arguments/arguments.hpp"
#include "mpi/sums/summand.hpp"
#include "runtime/settings.hpp"

namespace hopbine::mpi {

/// Whether a call is a sum that may have to be exact.
inline bool may_round(const Call& c) { return c.op == MPI_SUM && settings().exact_sums; }

/// Words up to which others than a blocking allreduce are sent in the format of all values, in one
/// step. That takes as long as to agree on a window first (docs/sums.md#limits).
inline constexpr std::int64_t kFullBytes = 1 << 10;

/// A sum that is to be exact.
struct ExactCall {
    Communicator* state = nullptr;
    Summand of{};
    std::int64_t words = 0;  ///< that it has in the format of all values
    Arguments known{};
};

/// Examines a call that may_round(). Empty: it is served as any other. Where its sums are rounded
/// then, that is told at the job's end. The same on all ranks, but for calls that the MPI library
/// refuses on this one.
std::optional<ExactCall> examine_sum(const Call& c, Form form);

/// Serves a blocking call, and counts it. `serve`: serves a call on whole numbers, or tells that
/// the MPI library does. Returns an MPI error code.
int sum_exactly(const Call& c, const ExactCall& exact, int (*serve)(const Call&));
/// sum_exactly() for a call of which no buffer is on a device.
int sum_host_memory(const Call& c, const ExactCall& exact, int (*serve)(const Call&));

}  // namespace hopbine::mpi
