/// The MPI library's progress: it calls hopbine back whenever the program waits, tests or sends.
///
/// - Open MPI: a callback of opal_progress.
/// - MPICH 5: MPIX_Async, while calls are under way.
/// - Others have neither: then a thread of hopbine's own resumes the calls (progress_thread.hpp).
///   Without it hopbine serves no nonblocking calls, since they would stand still while a rank
///   waits for something else.
#pragma once
#include <mpi.h>

namespace hopbine::mpi {

/// Whether this MPI library's progress can call hopbine.
bool library_progresses();
/// Lets the library's progress call `drive`, which returns the number of calls that are still under
/// way, and sets *moved where one has moved on. MPICH stops at 0: then this is called again.
void begin_library_progress(int (*drive)(bool* moved));
/// Called before MPI is finalized.
void end_library_progress();

/// Makes the library progress once.
void make_progress();
/// Sets what make_progress() probes: a communicator of which no message has the largest tag. MPICH
/// makes no progress in a probe that finds one.
void set_probed(MPI_Comm comm);

/// While one exists the library's progress does not give the core to another process, which may
/// keep it for long. For a nonblocking call, which must return. Open MPI alone yields in MPI_Test.
class Unyielding {
public:
    Unyielding();
    Unyielding(const Unyielding&) = delete;
    Unyielding& operator=(const Unyielding&) = delete;
    ~Unyielding();

private:
    bool yielded_;  ///< is to yield again
};

/// False: the request is not complete. MPICH 5 must not be called inside of its progress for what
/// makes progress itself, as a test of a request that is not complete does.
bool may_be_complete(MPI_Request request);
/// Whether testing a request that is not complete makes progress, by these functions.
bool tests_progress();
/// PMPI_Testsome, possible inside of progress.
int test_some(int n, MPI_Request* requests, int* over, int* which, MPI_Status* statuses);

}  // namespace hopbine::mpi
