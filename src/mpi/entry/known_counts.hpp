/// Counts in an array, of which a call before has shown what they decide.
#pragma once
#include <cstdint>

#include "mpi/arguments/arguments.hpp"
#include "select/size_class.hpp"

namespace hopbine::mpi {

/// What the counts and displacements of an allgatherv or a reduce_scatter must be for its kind to
/// be that of the call that it was made of, and for no rank to refuse it.
class KnownCounts {
public:
    KnownCounts() = default;
    /// `call`: examined, with bytes. `known`: what was found.
    KnownCounts(const Call& call, const Communicator& state, const Arguments& known)
        : ranks_(state.size),
          rank_(state.rank),
          extent_(call.collective == Collective::allgather ? known.recv.extent : 0) {
        const select::Range bytes = select::sizes_of(select::size_class(known.bytes));
        least_ = (bytes.low + known.recv.size - 1) / known.recv.size;
        most_ = bytes.high / known.recv.size;
    }

    /// Whether they are such in a call with the same other arguments. `apart`: its buffers must be.
    [[gnu::always_inline]] bool hold(const Call& c, bool apart) const {
        if (extent_ != 0 && !c.displacements) return false;
        std::int64_t sum = 0;
        for (int b = 0; b < ranks_; ++b) {
            const std::int64_t n = c.counts[b];
            if (n < 0 || n > most_ - sum) return false;
            sum += n;
        }
        return sum >= least_ && !(apart && address(c.send) == own_block(c));
    }

private:
    static std::intptr_t address(const void* buffer) {
        return reinterpret_cast<std::intptr_t>(buffer);
    }
    /// Address of the block that the MPI library compares with the send buffer.
    std::intptr_t own_block(const Call& c) const {
        return address(c.recv) + (extent_ != 0 ? c.displacements[rank_] * extent_ : 0);
    }

    int ranks_ = 0, rank_ = 0;
    std::int64_t extent_ = 0;            ///< bytes of a displacement; 0: there are none
    std::int64_t least_ = 0, most_ = 0;  ///< elements together
};

}  // namespace hopbine::mpi
