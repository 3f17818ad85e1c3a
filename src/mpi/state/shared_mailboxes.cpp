#include "mpi/state/shared_mailboxes.hpp"

#include "choice/job.hpp"
#include "mpi/state/communicator.hpp"
#include "mpi/state/world.hpp"
#include "runtime/mailbox_memory.hpp"

namespace hopbine::mpi {

namespace {

using Offer = MailboxMemory::Offer;

/// The memory of this process, with a mailbox for each rank in MPI_COMM_WORLD on its node. Made
/// once.
MailboxMemory& mailbox_memory() {
    static MailboxMemory& one = *[] {
        int rank = 0;
        PMPI_Comm_rank(World::get().comm(), &rank);
        const int ranks = static_cast<int>(job().ranks.size());
        std::vector<int> mates;
        for (int r = 0; r < ranks; ++r)
            if (job().rank(r).node == job().rank(rank).node) mates.push_back(r);
        return new MailboxMemory(rank, ranks, std::move(mates));
    }();
    return one;
}

/// Opens the memory of every other rank. Returns whether all could be opened; an MPI error is an
/// answer too.
bool open_all(const Communicator& state, const Endpoint& at) {
    MailboxMemory& shared = mailbox_memory();
    const int p = state.size;
    bool all = true;
    for (int distance = 1; distance < p; ++distance) {
        const int to = (state.rank + distance) % p, from = (state.rank - distance + p) % p;
        Offer theirs;
        const int e = exchange({&shared.offer(), sizeof(Offer), to}, {&theirs, sizeof theirs, from},
                               MPI_BYTE, kDataChannel, at);
        all &= e == MPI_SUCCESS && shared.open(at.rank(from), theirs);
    }
    return all;
}

}  // namespace

Mailboxes* agree_on_mailboxes(const Communicator& state, const Endpoint& at) {
    if (!state.shares_memory()) return nullptr;
    std::array<std::int64_t, 1> failed{!open_all(state, at)};
    const int e = most_of_all(failed, state.rank, state.size, kDataChannel, at);
    return e == MPI_SUCCESS && failed[0] == 0 ? &mailbox_memory().mailboxes() : nullptr;
}

}  // namespace hopbine::mpi
