/// The ranks of a communicator compare their collectives before they make them (--watch check).
///
/// - Before every collective, whatever it is, the ranks find the largest and the least digest of
///   their calls, by one nonblocking allreduce on a private communicator: so calls meet in it that
///   never would. Who makes a blocking call waits for it there.
/// - Where digests differ each rank writes its call into its record, and waits until the watchers
///   have reported it.
#pragma once
#include <mpi.h>

#include "watch/record.h"

namespace hopbine::mpi {

/// Whether the ranks compare their calls.
bool compares_calls();
/// Begins to compare those of MPI_COMM_WORLD. Collective.
void begin_comparing(watch_record& record);
/// The calls of a new communicator are compared, too. Collective.
void compare_calls_of(MPI_Comm made);
/// A communicator is about to be freed. Collective.
void stop_comparing(MPI_Comm comm);
/// Before MPI_Finalize. Collective.
void end_comparing();
/// Before this rank makes a call on the communicator that the argument `at` is.
void compare_call(const watch_call& call, int at);
/// This thread's last call has ended with an error. If the MPI library has refused it, it has not
/// happened on this rank, and the others take the next for it: that was compared already.
void call_failed();
/// Before this rank waits for requests, for `all` or one of them: looks at nonblocking calls that
/// are still compared, until these requests are complete.
void compare_before_wait(int n, const MPI_Request* requests, bool all);

}  // namespace hopbine::mpi
