/// MPI_COMM_WORLD between MPI_Init and MPI_Finalize: a private communicator, and data of every
/// rank.
///
/// - Every served collective uses this communicator. A program keeps all but two of the
///   communicators that its MPI library has.
/// - Nothing is sent on a user's communicator that a rank may not expect.
#pragma once
#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "mpi/state/job.hpp"
#include "preload/presence.h"

namespace hopbine::mpi {

class World {
public:
    /// Data of a rank, exchanged in MPI_Init.
    struct Rank {
        std::uint64_t settings, group, node;  ///< hashes; group and node 0: no name
        std::uint64_t threaded;               ///< 1: several of the program's threads may call MPI
        std::uint64_t progresses;             ///< 1: hopbine's own thread runs
        std::uint64_t told;                   ///< length of job_text(), on rank 0
        std::uint64_t device;                 ///< 1: a GPU library is loaded
        std::uint64_t memory;                 ///< memory_number()
        std::uint64_t cores;                  ///< cores_number()
        // Nanoseconds in MPI_Init:
        std::uint64_t start;     ///< from the end of the library's to that of the first barrier
        std::uint64_t barrier;   ///< of the first barrier, in which the ranks meet
        std::uint64_t exchange;  ///< of making a communicator after it
    };

    /// Whether the process is between MPI_Init and MPI_Finalize. If not, the MPI library serves all
    /// calls.
    static bool alive();
    static const World& get();
    /// Called after MPI_Init. Collective where all ranks run under hopbine.
    /// `threaded`: several threads of this process's program may call MPI at once. `progresses`:
    /// hopbine's own thread runs. `ended`: when the library's MPI_Init did, by now(); 0: not known.
    static void begin(presence found, bool threaded, bool progresses, std::int64_t ended);
    /// Called before MPI_Finalize. Collective where open().
    static void end();

    /// Whether all ranks run under hopbine; if not, why_closed() has the reason.
    bool open() const { return comm_ != MPI_COMM_NULL; }
    const std::string& why_closed() const { return why_closed_; }
    MPI_Comm comm() const { return comm_; }
    const std::vector<Rank>& ranks() const { return ranks_; }
    /// What rank 0 has told all ranks.
    const Job& job() const { return job_; }
    /// Whether a rank had loaded a GPU library in MPI_Init.
    bool device_loaded() const { return device_loaded_; }
    /// Whether several threads of a rank's program may call MPI at once.
    bool threaded() const { return threaded_; }
    /// Seconds of an exchange of all ranks: the median of what they have measured at the start.
    double exchange() const { return exchange_; }
    /// Seconds of hopbine's own in MPI_Init, as far as known to all ranks: those of the rank that
    /// has waited for no other, as its library's MPI_Init ended last.
    double start() const { return start_; }
    /// Seconds of this rank in MPI_Init that were not hopbine's own: it has waited for others, and
    /// the library has made its connections, as without hopbine in the first collective.
    double waited() const { return waited_; }
    /// Whether hopbine's own thread runs on all ranks, and resumes their calls.
    bool progresses() const { return progresses_; }
    /// Ranks in MPI_COMM_WORLD of the members of `comm`, in their order; empty when a member is not
    /// in it.
    std::vector<int> members(MPI_Comm comm) const;
    /// Whether ranks, which are in MPI_COMM_WORLD, are on one node and may open one another's
    /// memory, as far as all ranks know.
    bool share_memory(const std::vector<int>& members) const;

private:
    void open_up(bool threaded, bool progresses, std::int64_t ended);
    /// Finds what the start took, once the ranks have told.
    void price_start(const Rank& mine);
    std::string why_closed_;
    MPI_Comm comm_ = MPI_COMM_NULL;
    MPI_Group group_ = MPI_GROUP_NULL;
    std::vector<Rank> ranks_;
    Job job_;
    bool threaded_ = false, device_loaded_ = false, progresses_ = false;
    double exchange_ = 0, start_ = 0, waited_ = 0;
};

}  // namespace hopbine::mpi
