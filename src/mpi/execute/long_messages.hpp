/// Messages of any number of bytes, cut into transfers that an int can count.
#pragma once
#include <mpi.h>

#include <algorithm>
#include <vector>

#include "mpi/execute/datatype.hpp"
#include "mpi/execute/endpoint.hpp"
#include "mpi/execute/try.hpp"

namespace hopbine::mpi {

/// Posts the sends of n bytes on a channel; none when n is 0. Returns an MPI error code.
inline int send_bytes(const char* from, std::int64_t n, int peer, int channel, const Endpoint& to,
                      std::vector<MPI_Request>& requests) {
    for (std::int64_t at = 0; at < n; at += kMostAtOnce)
        HOPBINE_TRY(PMPI_Isend(from + at, static_cast<int>(std::min(kMostAtOnce, n - at)), MPI_BYTE,
                               to.rank(peer), to.tag_of(peer, channel), to.comm,
                               &requests.emplace_back()));
    return MPI_SUCCESS;
}
/// Posts the receives that match send_bytes().
inline int receive_bytes(char* to, std::int64_t n, int peer, int channel, const Endpoint& from,
                         std::vector<MPI_Request>& requests) {
    for (std::int64_t at = 0; at < n; at += kMostAtOnce)
        HOPBINE_TRY(PMPI_Irecv(to + at, static_cast<int>(std::min(kMostAtOnce, n - at)), MPI_BYTE,
                               from.rank(peer), from.own_tag(channel), from.comm,
                               &requests.emplace_back()));
    return MPI_SUCCESS;
}

}  // namespace hopbine::mpi
