/// The functions of MPI that hopbine calls, between ranks of one process. MPICH's header and its
/// way of progress: polls that it calls while it waits or tests.
///
/// It is stricter than MPI. These end the run:
/// - waiting, or testing what is not complete, inside of progress;
/// - waiting inside of a call that must return although other ranks come later;
/// - collectives of a communicator in another order than on other ranks.
#pragma once
#include <mpi.h>

#include <string>
#include <vector>

namespace model {

/// What all ranks of a run see.
struct Job {
    int ranks = 0;
    int ranks_on_a_node = 2;
    int lanes = 1;         ///< of nonblocking calls: sets MPI_TAG_UB
    bool threads = false;  ///< MPI_THREAD_MULTIPLE
};
void begin_job(const Job& job);

/// Makes a communicator of ranks of MPI_COMM_WORLD, in this order. With a shape it is Cartesian.
MPI_Comm make_comm(const std::vector<int>& members, const std::vector<int>& shape);
/// Frees it on the rank that calls.
void free_comm(MPI_Comm comm);

/// Requests that have been made and not ended, on all ranks.
int requests_left();

/// A reduction that does not commute: x -> a x + b as two words of 32 bits, one after the other.
inline constexpr MPI_Op kAffine = static_cast<MPI_Op>(0x98000001);
std::uint64_t affine(std::uint64_t left, std::uint64_t right);

/// While one exists, this rank must not wait.
class MustReturn {
public:
    MustReturn();
    MustReturn(const MustReturn&) = delete;
    MustReturn& operator=(const MustReturn&) = delete;
    ~MustReturn();
};

/// Ends the run.
[[noreturn]] void die(const std::string& what);
/// What die() says first: how to draw the run again.
void set_title(const std::string& title);

}  // namespace model
