/// What all ranks know of their job since its start, and of one another.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "schedule/placement.hpp"
#include "select/known_ratios.hpp"
#include "select/rules.hpp"

namespace hopbine::mpi {

/// Data of a rank, exchanged in MPI_Init.
struct JobRank {
    std::uint64_t settings, group, node;  ///< hashes; group and node 0: no name
    std::uint64_t threaded;               ///< 1: several of the program's threads may call MPI
    std::uint64_t progresses;             ///< 1: hopbine's own thread runs
    std::uint64_t told;                   ///< length of job_text(), on rank 0
    std::uint64_t device;                 ///< 1: a GPU library is loaded
    std::uint64_t memory;                 ///< location::memory_number()
    std::uint64_t cores;                  ///< location::cores_number()
    std::uint64_t library;                ///< hash of the MPI library's version
    // Nanoseconds in MPI_Init:
    std::uint64_t start;     ///< from the end of the library's to that of the first barrier
    std::uint64_t barrier;   ///< of the first barrier, in which the ranks meet
    std::uint64_t exchange;  ///< of making a communicator after it
};

struct Job {
    /// Whether all ranks run under hopbine; if not, why_closed has the reason.
    bool open = false;
    std::string why_closed;
    std::vector<JobRank> ranks;  ///< of MPI_COMM_WORLD; none unless it is open
    bool threaded = false;       ///< several threads of a rank's program may call MPI at once
    bool device_loaded = false;  ///< a rank had loaded a GPU library in MPI_Init
    bool progresses = false;  ///< hopbine's own thread runs on all ranks, and resumes their calls
    bool open_mpi = false;    ///< the MPI library is Open MPI
    /// Seconds of an exchange of all ranks: the median of what they have measured at the start.
    double exchange = 0;
    /// Seconds of hopbine's own in MPI_Init, as far as known to all ranks: those of the rank that
    /// has waited for no other, as its library's MPI_Init ended last.
    double start = 0;
    /// Seconds of this rank in MPI_Init that were not hopbine's own: it has waited for others, and
    /// the library has made its connections, as without hopbine in the first collective.
    double waited = 0;
    // What rank 0 tells (job_text.hpp):
    /// The site of rank 0, without the communicators' placements. Machine: select::machine_word of
    /// HOPBINE_SYSTEM, or Slurm's name of the cluster, or select::kUnnamed. Without rules there are
    /// no words but the cores.
    select::Site site;
    std::string file;       ///< that keeps what was learned
    bool learns = false;    ///< what this job learns is kept there
    select::Rules learned;  ///< rules of the file that may answer in this job

    /// What is known of the MPI library on one node; nothing where ranks have different ones.
    std::optional<select::KnownLibrary> known_library;

    /// Takes what the ranks have told one another, this one `rank`. `version`: of its library.
    void hear(std::vector<JobRank> all, int rank, const std::string& version);
    /// The cores of rank 0's node, as rules ask for them.
    std::string cores() const;
    const JobRank& rank(int r) const { return ranks[static_cast<std::size_t>(r)]; }
    /// Whether ranks are on one node and may open one another's memory, as far as all ranks know.
    bool share_memory(std::span<const int> members) const;
    /// Nodes and groups of ranks, numbered in the order of their first ranks. All are in one group
    /// where a rank has no group or a node lies in two.
    Placement placement(std::span<const int> members) const;
    /// All ranks, in their order.
    std::vector<int> all() const;
};

/// The job of this process, which the MPI side sets between MPI_Init and MPI_Finalize.
Job& the_job();
inline const Job& job() { return the_job(); }

}  // namespace hopbine::mpi
