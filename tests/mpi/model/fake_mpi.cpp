#include "fake_mpi.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <random>

#include "fake_comms.hpp"
#include "ranks.hpp"
#include "requests.hpp"

namespace model {

namespace {

std::string title;

TransferPtr post(bool sends, const void* data, int n, MPI_Datatype type, int peer, int tag,
                 MPI_Comm handle, Network::Place* place) {
    const Comm& comm = comm_of(handle);
    if (tag < 0 || peer < 0 || peer >= comm.size())
        die("a message to rank " + std::to_string(peer) + " with tag " + std::to_string(tag));
    const int me = comm.rank();
    *place = {comm.number, sends ? me : peer, sends ? peer : me, tag};
    auto out = std::make_shared<Transfer>();
    out->sends = sends;
    out->data = static_cast<char*>(const_cast<void*>(data));
    out->bytes = bytes_of(n, type);
    out->peer = peer;
    out->tag = tag;
    Network::get().post(*place, out);
    return out;
}

int start(bool sends, const void* data, int n, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
          MPI_Request* request) {
    auto made = std::make_shared<Request>();
    if (peer != MPI_PROC_NULL)
        made->transfer = post(sends, data, n, type, peer, tag, comm, &made->place);
    *request = add_request(std::move(made));
    return MPI_SUCCESS;
}

int wait(const char* what, MPI_Request* request, MPI_Status* status) {
    wait_until(what, [&] { return is_complete(*request); });
    return finish(request, status);
}

/// Numbers of 0..n-1 in an order that is drawn: what is complete may be told of in any.
std::vector<int> drawn_order(int n) {
    static thread_local std::mt19937 random(7);
    std::vector<int> out(static_cast<std::size_t>(n));
    std::iota(out.begin(), out.end(), 0);
    std::ranges::shuffle(out, random);
    return out;
}

template <class T>
void combine(MPI_Op op, std::vector<char>& sum, const std::vector<char>& other) {
    for (std::size_t at = 0; at < sum.size(); at += sizeof(T)) {
        T a, b;
        std::memcpy(&a, sum.data() + at, sizeof a);
        std::memcpy(&b, other.data() + at, sizeof b);
        a = op == MPI_MAX ? std::max(a, b) : op == MPI_MIN ? std::min(a, b) : a + b;
        std::memcpy(sum.data() + at, &a, sizeof a);
    }
}

/// Takes part in a collective of the library and waits for the others.
std::shared_ptr<Gathering> meet(const char* kind, MPI_Comm comm, const void* data,
                                std::int64_t bytes) {
    auto all = take_part(comm_of(comm), kind, data, bytes);
    wait_until(kind, [&] {
        const std::lock_guard hold(Network::get().lock);
        return all->complete();
    });
    return all;
}

void copy_all(const Gathering& all, void* to) {
    char* at = static_cast<char*>(to);
    for (const std::vector<char>& one : all.given) at = std::ranges::copy(one, at).out;
}

}  // namespace

void set_title(const std::string& text) { title = text; }

void die(const std::string& what) {
    std::fprintf(stderr, "model: %s: rank %d: %s%s\n", title.c_str(), this_rank(), what.c_str(),
                 Network::get().unmatched().c_str());
    std::_Exit(1);
}

std::uint64_t affine(std::uint64_t left, std::uint64_t right) {
    const std::uint32_t a = static_cast<std::uint32_t>(left >> 32),
                        b = static_cast<std::uint32_t>(left),
                        c = static_cast<std::uint32_t>(right >> 32),
                        d = static_cast<std::uint32_t>(right);
    return std::uint64_t{a * c} << 32 | static_cast<std::uint32_t>(b * c + d);
}

}  // namespace model

using namespace model;

extern "C" {

[[noreturn]] void model_unused(const char* name) { die(std::string(name) + " is called"); }

double PMPI_Wtime() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// Messages.

int PMPI_Isend(const void* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request) {
    return start(true, data, n, type, to, tag, comm, request);
}
int PMPI_Irecv(void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
               MPI_Request* request) {
    return start(false, data, n, type, from, tag, comm, request);
}
int PMPI_Send(const void* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Isend(data, n, type, to, tag, comm, &request);
    return wait("MPI_Send", &request, MPI_STATUS_IGNORE);
}
int PMPI_Recv(void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Status* status) {
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Irecv(data, n, type, from, tag, comm, &request);
    return wait("MPI_Recv", &request, status);
}
int PMPI_Sendrecv(const void* out, int n, MPI_Datatype st, int to, int send_tag, void* in, int m,
                  MPI_Datatype rt, int from, int recv_tag, MPI_Comm comm, MPI_Status* status) {
    MPI_Request sent = MPI_REQUEST_NULL, received = MPI_REQUEST_NULL;
    PMPI_Irecv(in, m, rt, from, recv_tag, comm, &received);
    PMPI_Isend(out, n, st, to, send_tag, comm, &sent);
    wait("MPI_Sendrecv", &sent, MPI_STATUS_IGNORE);
    return wait("MPI_Sendrecv", &received, status);
}
int PMPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count) {
    *count = status->count_lo / static_cast<int>(bytes_of(1, type));
    return MPI_SUCCESS;
}

// Requests.

int PMPI_Recv_init(void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                   MPI_Request* request) {
    auto made = std::make_shared<Request>();
    made->persistent = true;
    made->active = false;
    made->transfer = std::make_shared<Transfer>();
    made->transfer->data = static_cast<char*>(data);
    made->transfer->bytes = bytes_of(n, type);
    made->place = {comm_of(comm).number, from, comm_of(comm).rank(), tag};
    *request = add_request(std::move(made));
    return MPI_SUCCESS;
}
int PMPI_Start(MPI_Request* request) {
    const std::lock_guard hold(Network::get().lock);
    Request& r = request_of(*request);
    if (!r.persistent || r.active) die("MPI_Start of a request that cannot be started");
    r.active = true;
    r.transfer = std::make_shared<Transfer>(
        Transfer{.data = r.transfer->data, .bytes = r.transfer->bytes, .buffered = {}});
    Network::get().post(r.place, r.transfer);
    return MPI_SUCCESS;
}
int PMPI_Request_free(MPI_Request* request) {
    free_request(*request);
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}
int PMPI_Wait(MPI_Request* request, MPI_Status* status) {
    return wait("MPI_Wait", request, status);
}
int PMPI_Waitall(int n, MPI_Request requests[], MPI_Status statuses[]) {
    for (const int i : drawn_order(n)) {
        MPI_Status* const one = statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + i;
        if (const int error = wait("MPI_Waitall", requests + i, one); error != MPI_SUCCESS)
            return error;
    }
    return MPI_SUCCESS;
}
int PMPI_Waitsome(int n, MPI_Request requests[], int* over, int which[], MPI_Status statuses[]) {
    const std::vector<int> order = drawn_order(n);
    const auto ready = [&](int i) {
        return requests[i] != MPI_REQUEST_NULL && is_complete(requests[i]);
    };
    wait_until("MPI_Waitsome", [&] { return std::ranges::any_of(order, ready); });
    int error = MPI_SUCCESS;
    *over = 0;
    for (const int i : order) {
        if (!ready(i)) continue;
        // Some of those that are complete suffice.
        if (*over > 0 && i % 3 == 0) continue;
        MPI_Status ended;
        if (finish(requests + i, &ended) != MPI_SUCCESS) error = MPI_ERR_IN_STATUS;
        statuses[*over] = ended;
        which[(*over)++] = i;
    }
    return error;
}
int PMPI_Test(MPI_Request* request, int* over, MPI_Status* status) {
    *over = is_complete(*request);
    if (*over) return finish(request, status);
    if (in_progress()) die("MPI_Test of what is not complete, inside of progress");
    progress();
    return MPI_SUCCESS;
}
int PMPI_Iprobe(int, int, MPI_Comm, int* found, MPI_Status*) {
    if (in_progress()) die("MPI_Iprobe inside of progress");
    progress();
    if (!must_return_now()) let_others_run();
    return *found = 0, MPI_SUCCESS;
}
int PMPIX_Async_start(MPIX_Async_poll_function* poll, void* state, MPIX_Stream) {
    add_poll(poll, state);
    return MPI_SUCCESS;
}
int PMPIX_Request_is_complete(MPI_Request request) { return is_complete(request); }

// Collectives of the library, by which hopbine agrees.

int PMPI_Allreduce(const void* send, void* recv, int n, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm) {
    const std::int64_t bytes = bytes_of(n, type);
    const auto all = meet("MPI_Allreduce", comm, send == MPI_IN_PLACE ? recv : send, bytes);
    std::vector<char> sum = all->given.front();
    for (std::size_t r = 1; r < all->given.size(); ++r)
        type == MPI_DOUBLE       ? combine<double>(op, sum, all->given[r])
        : bytes_of(1, type) == 8 ? combine<std::int64_t>(op, sum, all->given[r])
                                 : combine<std::int32_t>(op, sum, all->given[r]);
    std::ranges::copy(sum, static_cast<char*>(recv));
    return MPI_SUCCESS;
}
int PMPI_Allgather(const void* send, int n, MPI_Datatype type, void* recv, int, MPI_Datatype,
                   MPI_Comm comm) {
    copy_all(*meet("MPI_Allgather", comm, send, bytes_of(n, type)), recv);
    return MPI_SUCCESS;
}
int PMPI_Iallgather(const void* send, int n, MPI_Datatype type, void* recv, int, MPI_Datatype,
                    MPI_Comm comm, MPI_Request* request) {
    auto made = std::make_shared<Request>();
    made->collective = [recv,
                        all = take_part(comm_of(comm), "MPI_Iallgather", send, bytes_of(n, type))] {
        if (!all->complete()) return false;
        copy_all(*all, recv);
        return true;
    };
    *request = add_request(std::move(made));
    return MPI_SUCCESS;
}
int PMPI_Bcast(void* data, int n, MPI_Datatype type, int root, MPI_Comm comm) {
    const auto all = meet("MPI_Bcast", comm, data, bytes_of(n, type));
    std::ranges::copy(all->given[static_cast<std::size_t>(root)], static_cast<char*>(data));
    return MPI_SUCCESS;
}
int PMPI_Barrier(MPI_Comm comm) {
    meet("MPI_Barrier", comm, nullptr, 0);
    return MPI_SUCCESS;
}

// Reductions.

int PMPI_Op_commutative(MPI_Op op, int* commutes) { return *commutes = op != kAffine, MPI_SUCCESS; }
int PMPI_Reduce_local(const void* in, void* inout, int n, MPI_Datatype, MPI_Op op) {
    if (op != kAffine) die("MPI_Reduce_local of an operation that has a kernel");
    for (int i = 0; i < n; ++i) {
        std::uint64_t a, b;
        const std::ptrdiff_t at = i * static_cast<std::ptrdiff_t>(sizeof a);
        std::memcpy(&a, static_cast<const char*>(in) + at, sizeof a);
        std::memcpy(&b, static_cast<char*>(inout) + at, sizeof b);
        b = affine(a, b);
        std::memcpy(static_cast<char*>(inout) + at, &b, sizeof b);
    }
    return MPI_SUCCESS;
}
}
