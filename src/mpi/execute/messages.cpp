#include "mpi/execute/messages.hpp"

#include "mpi/progress/library_progress.hpp"
#include "runtime/fiber.hpp"

namespace hopbine::mpi {

namespace {
MPI_Comm self = MPI_COMM_NULL;
OwnMessages own{MPI_COMM_NULL, 0};
}  // namespace

MPI_Comm private_copy(MPI_Comm comm) {
    MPI_Group group;
    MPI_Comm made = MPI_COMM_NULL;
    PMPI_Comm_group(comm, &group);
    PMPI_Comm_create(comm, group, &made);  // unlike MPI_Comm_dup it copies no attributes
    PMPI_Group_free(&group);
    PMPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
    return made;
}

MPI_Comm self_comm() { return self; }
void make_self_comm() { self = private_copy(MPI_COMM_SELF); }
void free_self_comm() { PMPI_Comm_free(&self); }

OwnMessages own_messages() { return own.comm == MPI_COMM_NULL ? OwnMessages{self, 0} : own; }

void make_own_messages() {
    own.comm = private_copy(MPI_COMM_WORLD);
    PMPI_Comm_rank(own.comm, &own.rank);
}

void free_own_messages() {
    if (own.comm != MPI_COMM_NULL) PMPI_Comm_free(&own.comm);
}

namespace in_fiber {

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

}  // namespace in_fiber

int most_of_all(std::span<std::int64_t> numbers, int rank, int ranks, int channel,
                const Endpoint& at) {
    const int n = static_cast<int>(numbers.size());
    for (int distance = 1; distance < ranks; distance *= 2) {
        std::array<std::int64_t, 8> others{};
        HOPBINE_TRY(exchange({numbers.data(), n, (rank + distance) % ranks},
                             {others.data(), n, (rank - distance + ranks) % ranks}, MPI_INT64_T,
                             channel, at));
        for (std::size_t i = 0; i < numbers.size(); ++i)
            numbers[i] = std::max(numbers[i], others[i]);
    }
    return MPI_SUCCESS;
}

}  // namespace hopbine::mpi
