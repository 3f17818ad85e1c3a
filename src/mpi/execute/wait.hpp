/// MPI's blocking functions, for calls that may run in a fiber: then they suspend it.
#pragma once
#include <mpi.h>

#include "mpi/execute/endpoint.hpp"

namespace hopbine::mpi {

/// A message of `count` elements to or from a rank.
struct ToRank {
    const void* data;
    int count, to;
};
struct FromRank {
    void* data;
    int count, from;
};

/// All return an MPI error code, as the functions of the same name do.
namespace in_fiber {
int wait(MPI_Request* request, MPI_Status* status, Fiber& fiber);
int wait_some(int n, MPI_Request* requests, int* over, int* which, MPI_Status* statuses,
              Fiber& fiber);
int send(const void* data, int n, MPI_Datatype type, int to, int channel, const Endpoint& at);
int receive(void* data, int n, MPI_Datatype type, int from, int channel, const Endpoint& at);
int exchange(const ToRank& out, const FromRank& in, MPI_Datatype type, int channel,
             const Endpoint& at);
}  // namespace in_fiber

inline int wait(MPI_Request* request, MPI_Status* status, const Endpoint& at) {
    return at.fiber ? in_fiber::wait(request, status, *at.fiber) : PMPI_Wait(request, status);
}

inline int wait_some(int n, MPI_Request* requests, int* over, int* which, MPI_Status* statuses,
                     const Endpoint& at) {
    return at.fiber ? in_fiber::wait_some(n, requests, over, which, statuses, *at.fiber)
                    : PMPI_Waitsome(n, requests, over, which, statuses);
}

/// Sends to rank `to` on a channel.
inline int send(const void* data, int n, MPI_Datatype type, int to, int channel,
                const Endpoint& at) {
    return at.fiber ? in_fiber::send(data, n, type, to, channel, at)
                    : PMPI_Send(data, n, type, at.rank(to), at.tag_of(to, channel), at.comm);
}

inline int receive(void* data, int n, MPI_Datatype type, int from, int channel,
                   const Endpoint& at) {
    return at.fiber ? in_fiber::receive(data, n, type, from, channel, at)
                    : PMPI_Recv(data, n, type, at.rank(from), at.own_tag(channel), at.comm,
                                MPI_STATUS_IGNORE);
}

/// Sends to one rank and receives from another on a channel.
inline int exchange(const ToRank& out, const FromRank& in, MPI_Datatype type, int channel,
                    const Endpoint& at) {
    return at.fiber
               ? in_fiber::exchange(out, in, type, channel, at)
               : PMPI_Sendrecv(out.data, out.count, type, at.rank(out.to),
                               at.tag_of(out.to, channel), in.data, in.count, type,
                               at.rank(in.from), at.own_tag(channel), at.comm, MPI_STATUS_IGNORE);
}

}  // namespace hopbine::mpi
