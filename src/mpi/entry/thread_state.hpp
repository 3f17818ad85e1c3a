/// What a thread remembers of its calls, and the calls that are passed on from memory alone.
#pragma once
#include "mpi/entry/passed.hpp"
#include "mpi/entry/serve.hpp"
#include "mpi/state/stats.hpp"
#include "select/rules.hpp"

namespace hopbine::mpi {

/// The last call of this thread: what served it, and when it was passed on to the MPI library.
struct Last {
    const char* served = select::kLibrary;
    StatRow* row = nullptr;
    Learning* learning = nullptr;  ///< measures the call on `measured`
    MPI_Comm measured{};
    std::int64_t began = 0;
    bool waits = false;  ///< not a collective, but MPI_Wait or one of its kind
    /// The MPI library serves every call of `collective` on `comm` while `epoch` lasts.
    MPI_Comm comm{};
    Collective collective = Collective::bcast;
    bool among_neighbors = false;
    unsigned epoch = 0;

    bool library_serves(const Call& c) const {
        return comm == c.comm && collective == c.collective &&
               among_neighbors == c.among_neighbors && comm != MPI_COMM_NULL &&
               epoch == Communicator::epoch;
    }
};

struct ThreadState {
    Last last;
    PassedCalls passed;

    /// Whether the MPI library serves the call, known from calls before: programs call the same
    /// collectives in loops. Counts the call. Inlined where the call is described, so that only
    /// what is compared is loaded, and nothing is stored for other functions.
    [[gnu::always_inline]] bool passes(const Call& c) {
        if (!last.library_serves(c) && (c.among_neighbors || !passed.again(c))) return false;
        last.served = select::kLibrary;
        return true;
    }
};

}  // namespace hopbine::mpi
