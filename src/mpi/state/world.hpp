/// MPI_COMM_WORLD as hopbine has it between MPI_Init and MPI_Finalize: one private communicator,
/// and what is known of every rank.
///
/// Every collective that hopbine serves travels over this communicator, so a program keeps all but
/// two of the communicators that its MPI library has. Nothing is ever sent on a user's communicator
/// that some rank may not expect.
#pragma once
#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "mpi/state/presence.h"

namespace hopbine::mpi {

class World {
public:
    /// What the ranks have told each other in MPI_Init; equal on all of them.
    struct Rank {
        std::uint64_t settings, group, node;  ///< hashes; group and node 0: no name
    };

    /// The process is between MPI_Init and MPI_Finalize. Else the MPI library serves everything.
    static bool alive();
    static const World& get();
    /// After MPI_Init. Collective where all ranks are there.
    static void begin(presence found);
    /// Before MPI_Finalize. Collective where it is open.
    static void end();

    /// All ranks run under hopbine; else why not.
    bool open() const { return comm_ != MPI_COMM_NULL; }
    const std::string& why_closed() const { return why_closed_; }
    MPI_Comm comm() const { return comm_; }
    const std::vector<Rank>& ranks() const { return ranks_; }
    /// Ranks in MPI_COMM_WORLD of the members of `comm`, in their order; empty when one is not in
    /// it.
    std::vector<int> members(MPI_Comm comm) const;

private:
    void open_up();
    std::string why_closed_;
    MPI_Comm comm_ = MPI_COMM_NULL;
    MPI_Group group_ = MPI_GROUP_NULL;
    std::vector<Rank> ranks_;
};

}  // namespace hopbine::mpi
