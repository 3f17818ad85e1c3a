/// The communicators whose calls are passed on without a look at them, found without the MPI
/// library.
#pragma once
#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "choice/first_calls.hpp"
#include "mpi/state/communicator.hpp"

namespace hopbine::mpi {

/// The communicators of a thread's last calls whose first calls have not ended.
class EarlyCommunicators {
public:
    /// The first calls of the communicator, where its next call need not be looked at. Else null.
    [[gnu::always_inline]] FirstCalls* find(MPI_Comm comm) {
        const Place& p = places_[at(comm)];
        return p.comm == comm && p.calls && p.generation == Communicator::generation &&
                       p.calls->pass()
                   ? p.calls
                   : nullptr;
    }
    void keep(MPI_Comm comm, FirstCalls* calls) {
        places_[at(comm)] = {comm, calls, Communicator::generation};
    }

private:
    struct Place {
        MPI_Comm comm{};
        FirstCalls* calls = nullptr;
        unsigned generation = 0;
    };
    static constexpr std::size_t kPlaces = 8;
    /// The top bits of a product: handles are addresses, or small numbers.
    [[gnu::always_inline]] static std::size_t at(MPI_Comm comm) {
        constexpr int kBits = 3;
        static_assert(kPlaces == 1 << kBits);
        return static_cast<std::uint64_t>(std::hash<MPI_Comm>()(comm)) * 0xD1B54A32D192ED03u >>
               (64 - kBits);
    }
    std::array<Place, kPlaces> places_{};
};

}  // namespace hopbine::mpi
