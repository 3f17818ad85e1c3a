// Decides on nonblocking and persistent calls of ranks that share memory.
#include "mpi/state/communicator.hpp"
#include "mpi/state/world.hpp"
#include "runtime/settings.hpp"

namespace hopbine::mpi {

bool Communicator::shares_memory() const {
    constexpr int kMost = 64;  // processes that a process opens the memory of
    return size <= kMost && settings().shared_memory && World::get().share_memory(members_);
}

/// The choice for small calls of ranks that share memory; no algorithm: they do not, or another one
/// is to be found.
Chosen Communicator::through_memory(Collective c, std::int64_t bytes, Operands operands,
                                    Form form) const {
    Chosen out;
    // With hopbine's own thread short calls were not measured to be faster.
    if (form == Form::blocking || settings().progress_thread || !shares_memory()) return out;
#ifdef OPEN_MPI
    // Open MPI moves data as fast, and some calls of two ranks.
    constexpr bool kAll = false;
    const bool short_persistent =
        form == Form::persistent && bytes < kServedThroughMemory && c != Collective::allreduce;
    if (size == 2 && (c == Collective::exscan || short_persistent)) return out;
#else
    constexpr bool kAll = true;
#endif
    out.choice = select::choose({&select::shared_memory_rules(kAll)}, {c, size, bytes, operands});
    out.for_many = form == Form::nonblocking && settings().measures;
    return out;
}

bool Communicator::decides_for_ever(Collective c) {
    return form_ != Form::blocking && counted(c) && !chooser().useful();
}

}  // namespace hopbine::mpi
