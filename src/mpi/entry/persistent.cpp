#include "mpi/entry/persistent.hpp"

#include <sched.h>

#include <algorithm>
#include <mutex>

#include "mpi/bind/bind_alltoallv.hpp"
#include "mpi/entry/arguments.hpp"
#include "mpi/prepared/requests.hpp"
#include "mpi/state/device_gate.hpp"
#include "mpi/state/errors.hpp"
#include "mpi/state/log.hpp"
#include "mpi/state/settings.hpp"
#include "mpi/state/world.hpp"

namespace hopbine::mpi {

namespace {

void make_empty(MPI_Status* status) {
    if (status == MPI_STATUS_IGNORE) return;
    PMPI_Status_set_elements(status, MPI_BYTE, 0);
    PMPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_ANY_SOURCE;
    status->MPI_TAG = MPI_ANY_TAG;
    status->MPI_ERROR = MPI_SUCCESS;
}

/// Progresses active requests until `over` returns true. Releases the lock in between for other
/// threads.
template <class F>
void go_on_until(F&& over) {
    for (;;) {
        {
            const std::lock_guard hold(Requests::get().lock);
            Requests::get().advance();
            if (over()) return;
        }
        sched_yield();
    }
}

void forget_requests(const Communicator* state) {
    const std::lock_guard hold(Requests::get().lock);
    Requests::get().forget(state);
}

/// The result of a call that hopbine cannot prepare: an error and its reason where the program
/// called hopbine_alltoallv_init, else kPass.
int refuse(const Call& c, bool asked, int error, const std::string& why = "") {
    if (!asked) return kPass;
    if (!why.empty()) say_once("hopbine_alltoallv_init: " + why);
    return raise_later(c.comm, error);
}

/// The communicator's state where hopbine can serve the call; else null, and sets `result`.
Communicator* open_for(const Call& c, bool asked, Arguments* out, int* result) {
    int between = 0;
    PMPI_Comm_test_inter(c.comm, &between);
    Communicator* const state = between ? nullptr : Communicator::of(c.comm);
    if (!state || !valid_alltoallv(c, state->size, &out->send, &out->recv, &out->bytes))
        *result = refuse(c, asked, MPI_ERR_ARG);
    else if (!state->open(DeviceUse::none))
        *result = refuse(c, asked, MPI_ERR_COMM,
                         "hopbine serves nothing on this communicator: " + state->why_unusable());
    else
        return state;
    return nullptr;
}

int make(const Call& c, MPI_Request* request, bool asked) {
    if (!World::alive()) return asked ? MPI_ERR_OTHER : kPass;
    Arguments known;
    int result = MPI_SUCCESS;
    Communicator* const state = open_for(c, asked, &known, &result);
    if (!state) return result;
    const Decision d = state->decide_repeated(known.bytes, asked);
    if (!d.served.plan) return refuse(c, asked, MPI_ERR_COMM);
    // The CPU reads and writes the buffers at any time until the request is freed.
    if (most_device_use(device_use(c, *state), *state) == DeviceUse::used)
        return refuse(c, asked, MPI_ERR_BUFFER,
                      "a rank's buffer is device memory, which repeated exchanges do not serve");
    Communicator::forgotten = forget_requests;
    PreparedRequest made;
    made.comm = c.comm;
    made.bytes = known.bytes;
    made.row = d.served.row;
    made.exchange = std::make_unique<Exchange>(c, *state, *d.served.plan, known.send, known.recv);
    if (const int e = made.exchange->prepare(); e != MPI_SUCCESS) return raise_later(c.comm, e);
    if (made.row) made.row->extra = std::max<std::int64_t>(made.row->extra, made.exchange->extra());
    if (const int e = PMPI_Recv_init(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, c.comm, &made.handle);
        e != MPI_SUCCESS)
        return raise_later(c.comm, e);
    *request = made.handle;
    const std::lock_guard hold(Requests::get().lock);
    Requests::get().add(std::move(made));
    return MPI_SUCCESS;
}

}  // namespace

int prepare(const Call& c, MPI_Request* request, bool asked) {
    try {
        return make(c, request, asked);
    } catch (const std::bad_alloc&) {
        return raise_later(c.comm, MPI_ERR_NO_MEM);
    }
}

void end_requests() {
    const std::lock_guard hold(Requests::get().lock);
    Requests::get().free_all();
}

}  // namespace hopbine::mpi

using namespace hopbine::mpi;

namespace {
Requests& all() { return Requests::get(); }
}  // namespace

#define HOPBINE_EXPORT __attribute__((visibility("default")))

extern "C" {

/// See include/hopbine/hopbine_mpi.h.
HOPBINE_EXPORT int hopbine_prepare(const void* send, const int sc[], const int sd[],
                                   MPI_Datatype st, void* recv, const int rc[], const int rd[],
                                   MPI_Datatype rt, MPI_Comm comm, MPI_Info, MPI_Request* request) {
    return prepare(alltoallv_call(send, sc, sd, st, recv, rc, rd, rt, comm), request, true);
}

#define HOPBINE_INIT(suffix, Count, Displacement)                                                 \
    HOPBINE_EXPORT int hopbine_MPI_Alltoallv_init##suffix(                                        \
        const void* send, const Count sc[], const Displacement sd[], MPI_Datatype st, void* recv, \
        const Count rc[], const Displacement rd[], MPI_Datatype rt, MPI_Comm comm, MPI_Info,      \
        MPI_Request* request) {                                                                   \
        return settings().persistent                                                              \
                   ? prepare(alltoallv_call(send, sc, sd, st, recv, rc, rd, rt, comm), request,   \
                             false)                                                               \
                   : kPass;                                                                       \
    }
HOPBINE_INIT(, int, int)
HOPBINE_INIT(_c, MPI_Count, MPI_Aint)

/// Whether hopbine has requests. If not, the functions below need not be called.
HOPBINE_EXPORT int hopbine_has_requests(void) { return all().any(); }

HOPBINE_EXPORT int hopbine_MPI_Start(MPI_Request* request) {
    const std::lock_guard hold(all().lock);
    PreparedRequest* const r = all().find(*request);
    if (!r) return kPass;
    return raise_later(r->exchange ? r->comm : MPI_COMM_WORLD, r->start());
}

HOPBINE_EXPORT int hopbine_MPI_Startall(int n, MPI_Request requests[]) {
    for (int i = 0; i < n; ++i) {
        int e = hopbine_MPI_Start(&requests[i]);
        if (e == kPass) e = PMPI_Start(&requests[i]);
        if (e != MPI_SUCCESS) return e;
    }
    return MPI_SUCCESS;
}

HOPBINE_EXPORT int hopbine_MPI_Wait(MPI_Request* request, MPI_Status* status) {
    std::unique_lock hold(all().lock);
    PreparedRequest* const r = all().find(*request);
    if (!r) {
        if (!all().any_under_way()) return kPass;
        hold.unlock();
        int over = 0, error = MPI_SUCCESS;
        go_on_until([&] {
            return error = PMPI_Test(request, &over, status), over || error != MPI_SUCCESS;
        });
        return error;
    }
    all().finish_alone(*r);
    hold.unlock();
    go_on_until([&] { return !r->under_way(); });
    make_empty(status);
    hold.lock();
    return r->conclude();
}

HOPBINE_EXPORT int hopbine_MPI_Waitall(int n, MPI_Request requests[], MPI_Status statuses[]) {
    // hopbine's requests complete first; to the MPI library they are inactive. Its own requests
    // progress independently meanwhile.
    go_on_until([&] { return !all().under_way(n, requests); });
    const int error = PMPI_Waitall(n, requests, statuses);
    const std::lock_guard hold(all().lock);
    const int own = all().conclude(n, requests);
    return error != MPI_SUCCESS ? error : own;
}

HOPBINE_EXPORT int hopbine_MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
    const std::lock_guard hold(all().lock);
    all().advance();
    PreparedRequest* const r = all().find(*request);
    if (!r) return kPass;
    *flag = !r->under_way();
    if (!*flag) return MPI_SUCCESS;
    make_empty(status);
    return r->conclude();
}

HOPBINE_EXPORT int hopbine_MPI_Testall(int n, MPI_Request requests[], int* flag,
                                       MPI_Status statuses[]) {
    const std::lock_guard hold(all().lock);
    all().advance();
    *flag = 0;
    if (all().under_way(n, requests)) return MPI_SUCCESS;
    const int error = PMPI_Testall(n, requests, flag, statuses);
    if (error != MPI_SUCCESS || !*flag) return error;
    return all().conclude(n, requests);
}

HOPBINE_EXPORT int hopbine_MPI_Testany(int n, MPI_Request requests[], int* index, int* flag,
                                       MPI_Status* status) {
    const std::lock_guard hold(all().lock);
    all().advance();
    if (const int i = all().first_over(n, requests); i >= 0) {
        *index = i;
        *flag = 1;
        make_empty(status);
        return all().find(requests[i])->conclude();
    }
    const int error = PMPI_Testany(n, requests, index, flag, status);
    if (error == MPI_SUCCESS && *flag && *index == MPI_UNDEFINED && all().under_way(n, requests))
        *flag = 0;  // the MPI library has no active request, but hopbine has
    return error;
}

HOPBINE_EXPORT int hopbine_MPI_Waitany(int n, MPI_Request requests[], int* index,
                                       MPI_Status* status) {
    for (int flag = 0;; sched_yield())
        if (const int error = hopbine_MPI_Testany(n, requests, index, &flag, status);
            error != MPI_SUCCESS || flag)
            return error;
}

HOPBINE_EXPORT int hopbine_MPI_Testsome(int n, MPI_Request requests[], int* out, int indices[],
                                        MPI_Status statuses[]) {
    const std::lock_guard hold(all().lock);
    all().advance();
    const bool waiting = all().under_way(n, requests);
    int error = PMPI_Testsome(n, requests, out, indices, statuses);
    if (error != MPI_SUCCESS) return error;
    if (*out == MPI_UNDEFINED) {
        if (all().first_over(n, requests) < 0 && !waiting) return MPI_SUCCESS;
        *out = 0;
    }
    for (int i = all().first_over(n, requests); i >= 0; i = all().first_over(n, requests)) {
        if (statuses != MPI_STATUSES_IGNORE) make_empty(statuses + *out);
        indices[(*out)++] = i;
        if (const int e = all().find(requests[i])->conclude(); e != MPI_SUCCESS) error = e;
    }
    return error;
}

HOPBINE_EXPORT int hopbine_MPI_Waitsome(int n, MPI_Request requests[], int* out, int indices[],
                                        MPI_Status statuses[]) {
    for (;; sched_yield())
        if (const int error = hopbine_MPI_Testsome(n, requests, out, indices, statuses);
            error != MPI_SUCCESS || *out != 0)
            return error;
}

HOPBINE_EXPORT int hopbine_MPI_Request_get_status(MPI_Request request, int* flag,
                                                  MPI_Status* status) {
    const std::lock_guard hold(all().lock);
    all().advance();
    const PreparedRequest* const r = all().find(request);
    if (!r) return kPass;
    *flag = !r->under_way();
    if (*flag) make_empty(status);
    return MPI_SUCCESS;
}

HOPBINE_EXPORT int hopbine_MPI_Request_free(MPI_Request* request) {
    const std::lock_guard hold(all().lock);
    PreparedRequest* const r = all().find(*request);
    if (!r) return kPass;
    if (r->under_way())
        return raise_later(r->comm,
                           MPI_ERR_REQUEST);  // the other ranks wait for this rank's messages
    all().remove(*r);
    return PMPI_Request_free(request);
}
}
