/// MPI_COMM_WORLD between MPI_Init and MPI_Finalize: a private communicator, and what sets the job
/// (choice/job.hpp).
///
/// - Every served collective uses this communicator. A program keeps all but two of the
///   communicators that its MPI library has.
/// - Nothing is sent on a user's communicator that a rank may not expect.
#pragma once
#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "choice/job.hpp"
#include "choice/rank_location.hpp"
#include "preload/presence.h"

namespace hopbine::mpi {

class World {
public:
    /// Whether the process is between MPI_Init and MPI_Finalize. If not, the MPI library serves all
    /// calls.
    static bool alive();
    static const World& get();
    /// Called after MPI_Init. Collective where all ranks run under hopbine.
    /// `threaded`: several threads of this process's program may call MPI at once. `progresses`:
    /// hopbine's own thread runs. `ended`: when the library's MPI_Init did, by now(); 0: not known.
    static void begin(presence found, bool threaded, bool progresses, std::int64_t ended);
    /// Called before MPI_Finalize. Collective where the job is open.
    static void end();

    /// Has all ranks where they run under hopbine; else MPI_COMM_NULL.
    MPI_Comm comm() const { return comm_; }
    /// Ranks in MPI_COMM_WORLD of the members of `comm`, in their order; empty when a member is not
    /// in it.
    std::vector<int> members(MPI_Comm comm) const;

private:
    void open_up(bool threaded, bool progresses, std::int64_t ended);
    MPI_Comm comm_ = MPI_COMM_NULL;
    MPI_Group group_ = MPI_GROUP_NULL;
};

/// Where this process is.
RankLocation own_location();
/// The name of the MPI library with its version, such as "Open MPI v4.1.4".
std::string library_version();

}  // namespace hopbine::mpi
