/// Maxima over all ranks of a communicator, by hopbine's own messages: calls in a fiber need them.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

#include "mpi/execute/endpoint.hpp"
#include "mpi/execute/try.hpp"
#include "mpi/execute/wait.hpp"

namespace hopbine::mpi {

/// Replaces each number by its maximum over all ranks, by dissemination (Hensgen, Finkel and
/// Manber, 1988). Collective. Returns an MPI error code.
template <std::size_t N>
int most_of_all(std::array<std::int64_t, N>& numbers, int rank, int ranks, int channel,
                const Endpoint& at) {
    for (int distance = 1; distance < ranks; distance *= 2) {
        std::array<std::int64_t, N> others{};
        HOPBINE_TRY(exchange({numbers.data(), N, (rank + distance) % ranks},
                             {others.data(), N, (rank - distance + ranks) % ranks}, MPI_INT64_T,
                             channel, at));
        for (std::size_t i = 0; i < N; ++i) numbers[i] = std::max(numbers[i], others[i]);
    }
    return MPI_SUCCESS;
}

}  // namespace hopbine::mpi
