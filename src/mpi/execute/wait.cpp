#include "mpi/execute/wait.hpp"

#include "mpi/progress/library_progress.hpp"
#include "runtime/fiber.hpp"

namespace hopbine::mpi::in_fiber {

int wait(MPI_Request* request, MPI_Status* status, Fiber& fiber) {
    for (int over = 0;; fiber.suspend()) {
        if (!may_be_complete(*request)) continue;
        if (const int e = PMPI_Test(request, &over, status); e != MPI_SUCCESS || over) return e;
    }
}

int wait_some(int n, MPI_Request* requests, int* over, int* which, MPI_Status* statuses,
              Fiber& fiber) {
    for (;; fiber.suspend())
        if (const int e = test_some(n, requests, over, which, statuses);
            e != MPI_SUCCESS || *over != 0)
            return e;
}

int send(const void* data, int n, MPI_Datatype type, int to, int channel, const Endpoint& at) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int e = PMPI_Isend(data, n, type, at.rank(to), at.tag_of(to, channel), at.comm, &request);
    return e == MPI_SUCCESS ? wait(&request, MPI_STATUS_IGNORE, *at.fiber) : e;
}

int receive(void* data, int n, MPI_Datatype type, int from, int channel, const Endpoint& at) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int e = PMPI_Irecv(data, n, type, at.rank(from), at.own_tag(channel), at.comm, &request);
    return e == MPI_SUCCESS ? wait(&request, MPI_STATUS_IGNORE, *at.fiber) : e;
}

int exchange(const ToRank& out, const FromRank& in, MPI_Datatype type, int channel,
             const Endpoint& at) {
    MPI_Request received = MPI_REQUEST_NULL;
    const int e = PMPI_Irecv(in.data, in.count, type, at.rank(in.from), at.own_tag(channel),
                             at.comm, &received);
    if (e != MPI_SUCCESS) return e;
    const int sending = in_fiber::send(out.data, out.count, type, out.to, channel, at),
              receiving = wait(&received, MPI_STATUS_IGNORE, *at.fiber);
    return sending != MPI_SUCCESS ? sending : receiving;
}

}  // namespace hopbine::mpi::in_fiber
