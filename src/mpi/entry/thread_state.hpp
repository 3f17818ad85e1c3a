/// What a thread remembers of its calls, and the calls that are passed on from memory alone.
#pragma once
#include <array>

#include "mpi/entry/passed.hpp"
#include "mpi/entry/serve.hpp"
#include "mpi/state/stats.hpp"
#include "runtime/settings.hpp"
#include "select/rules.hpp"

namespace hopbine::mpi {

/// The last call of this thread: what served it, and when it was passed on to the MPI library.
struct Last {
    const char* served = select::kLibrary;
    StatRow* row = nullptr;
    MeasuredKind* kind = nullptr;   ///< of the call, if it is measured,
    TimesOfCalls* times = nullptr;  ///< and what is told
    std::int64_t began = 0;
    int* first_calls = nullptr;  ///< of the call's communicator, if it is one of them
    bool waits = false;          ///< not a collective, but MPI_Wait or one of its kind
};

/// Collectives that the MPI library serves on a communicator whatever the other arguments, for one
/// form of calls. A direct-mapped cache.
class LibraryOnly {
public:
    /// Not where statistics count such calls, or the next one may be on device memory.
    void remember(const Call& c) {
        if (settings().stats.empty() && !settings().staged)
            at(c) = {c.comm, Communicator::epoch, c.collective, c.among_neighbors};
    }
    bool has(const Call& c) {
        const Known& known = at(c);
        return known.comm == c.comm && known.collective == c.collective &&
               known.among_neighbors == c.among_neighbors && c.comm != MPI_COMM_NULL &&
               known.epoch == Communicator::epoch;
    }

private:
    static constexpr std::size_t kSlots = 128;
    struct Known {
        MPI_Comm comm{};
        unsigned epoch = 0;
        Collective collective{};
        bool among_neighbors = false;
    };
    Known& at(const Call& c) {
        const auto mixed =
            static_cast<std::uint64_t>(std::hash<MPI_Comm>()(c.comm)) * 0xD1B54A32D192ED03u >> 32;
        return known_[(mixed * kCollectives + static_cast<std::size_t>(c.collective)) % kSlots];
    }
    std::array<Known, kSlots> known_{};
};

struct ThreadState {
    Last last;
    LibraryOnly blocking, nonblocking;
    PassedCalls passed;
    LastKinds<KindOfCall, 16> passed_nonblocking;  ///< whatever was measured

    /// kPass or kPassTimed where the MPI library serves the blocking call, known from calls before:
    /// programs call the same collectives in loops. Counts the call. Else 0. Inlined where the call
    /// is described, so that only what is compared is loaded, and nothing is stored for other
    /// functions.
    [[gnu::always_inline]] int passes(const Call& c) {
        if (!blocking.has(c)) {
            const PassedCalls::Kind* const kind = c.among_neighbors ? nullptr : passed.find(c);
            if (!kind) return 0;
            if (!kind->measured->passes()) return passes_timed(*kind);
        }
        last.served = select::kLibrary;
        return kPass;
    }
    /// passes() for a call whose kind is known and that may have to be timed.
    int passes_timed(const PassedCalls::Kind& kind);
    /// Whether the MPI library serves the nonblocking call, known from calls before.
    [[gnu::always_inline]] bool passes_nonblocking(const Call& c) {
        if (!nonblocking.has(c) && !passed_nonblocking.find(c)) return false;
        last.served = select::kLibrary;
        return true;
    }
};

}  // namespace hopbine::mpi
