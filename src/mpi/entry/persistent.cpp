#include "mpi/entry/persistent.hpp"

#include <sched.h>

#include <atomic>
#include <list>
#include <mutex>
#include <vector>

#include "mpi/bind/bind_alltoallv.hpp"
#include "mpi/entry/errors.hpp"
#include "mpi/execute/try.hpp"
#include "mpi/prepared/exchange.hpp"
#include "mpi/state/device_gate.hpp"
#include "mpi/state/log.hpp"
#include "mpi/state/settings.hpp"
#include "mpi/state/world.hpp"

namespace hopbine::mpi {

namespace {

/// A request of a program's.
struct Repeated {
    MPI_Request handle = MPI_REQUEST_NULL;
    MPI_Comm comm = MPI_COMM_NULL;       ///< the user's
    std::unique_ptr<Exchange> exchange;  ///< null: its communicator is gone
    StatRow* row = nullptr;
    std::int64_t bytes = 0;
    bool started = false;     ///< and not waited for
    int error = MPI_SUCCESS;  ///< of what is over

    bool under_way() const { return started && exchange->active(); }

    int start() {
        if (!exchange || started) return MPI_ERR_REQUEST;
        if (row && exchange->state().rank == 0) {
            row->calls.fetch_add(1, std::memory_order_relaxed);
            row->bytes.fetch_add(bytes, std::memory_order_relaxed);
        }
        const int e = exchange->start();
        started = e == MPI_SUCCESS;
        if (!started) exchange->give_up();
        return e;
    }
    void advance() {
        if (under_way()) keep(exchange->advance());
    }
    void finish() { keep(exchange->finish()); }

private:
    /// What goes wrong is told when the program waits.
    void keep(int e) {
        if (e == MPI_SUCCESS) return;
        exchange->give_up();
        error = e;
    }
};

std::mutex lock;
std::list<Repeated> all;
std::atomic<bool> any{false};  ///< `all` has some; read without the lock

/// Under the lock.
Repeated* found(MPI_Request handle) {
    for (Repeated& r : all)
        if (r.handle == handle) return &r;
    return nullptr;
}

void advance_all() {
    for (Repeated& r : all) r.advance();
}

bool any_under_way() { return std::ranges::any_of(all, &Repeated::under_way); }

void make_empty(MPI_Status* status) {
    if (status == MPI_STATUS_IGNORE) return;
    PMPI_Status_set_elements(status, MPI_BYTE, 0);
    PMPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_ANY_SOURCE;
    status->MPI_TAG = MPI_ANY_TAG;
    status->MPI_ERROR = MPI_SUCCESS;
}

/// The program has seen that it is over.
int conclude(Repeated& r) {
    r.started = false;
    return raise_later(r.comm, std::exchange(r.error, MPI_SUCCESS));
}

/// Goes on with what is under way until `over` says so, under the lock; other threads have their
/// turns in between.
template <class F>
void go_on_until(F&& over) {
    for (;;) {
        {
            const std::lock_guard hold(lock);
            advance_all();
            if (over()) return;
        }
        sched_yield();
    }
}

/// The only one under way in a program of one thread may wait inside the library.
void finish_alone(Repeated& r) {
    static const bool threads = [] {
        int level = MPI_THREAD_SINGLE;
        PMPI_Query_thread(&level);
        return level == MPI_THREAD_MULTIPLE;
    }();
    if (threads || !r.under_way() || std::ranges::count_if(all, &Repeated::under_way) != 1) return;
    r.finish();
}

bool ours_under_way(int n, MPI_Request* requests) {
    for (int i = 0; i < n; ++i)
        if (const Repeated* r = found(requests[i]); r && r->under_way()) return true;
    return false;
}

int conclude_all(int n, MPI_Request* requests) {
    int error = MPI_SUCCESS;
    for (int i = 0; i < n; ++i)
        if (Repeated* r = found(requests[i]); r && r->started)
            if (const int e = conclude(*r); e != MPI_SUCCESS) error = e;
    return error;
}

/// The first of ours that is over and not yet seen; -1: none.
int first_over(int n, MPI_Request* requests) {
    for (int i = 0; i < n; ++i)
        if (const Repeated* r = found(requests[i]); r && r->started && !r->under_way()) return i;
    return -1;
}

/// `state` is about to be no more: its requests can no longer be started.
void forget_requests(const Communicator* state) {
    const std::lock_guard hold(lock);
    for (Repeated& r : all) {
        if (!r.exchange || &r.exchange->state() != state) continue;
        r.exchange.reset();
        r.started = false;
    }
}

int make(const Call& c, MPI_Request* request, bool asked) {
    int between = 0;
    if (!World::alive()) return asked ? MPI_ERR_OTHER : kPass;
    PMPI_Comm_test_inter(c.comm, &between);
    Communicator* state = between ? nullptr : Communicator::of(c.comm);
    Type send, recv;
    std::int64_t bytes = 0;
    if (!state || !sound_alltoallv(c, state->size, &send, &recv, &bytes))
        return asked ? raise_later(c.comm, MPI_ERR_ARG) : kPass;
    if (!state->open(DeviceUse::none)) {
        if (!asked) return kPass;
        say_once("hopbine_alltoallv_init: hopbine serves nothing on this communicator: " +
                 state->why_unusable());
        return raise_later(c.comm, MPI_ERR_COMM);
    }
    const Decision d = state->decide_repeated(bytes, asked);
    if (!d.plan) return asked ? raise_later(c.comm, MPI_ERR_COMM) : kPass;
    // It would be read and written by the CPU at any time until it is freed.
    if (most_device_use(device_use(c, *state), *state) == DeviceUse::used) {
        if (!asked) return kPass;
        say_once(
            "hopbine_alltoallv_init: a rank's buffer is device memory, which repeated exchanges do "
            "not serve");
        return raise_later(c.comm, MPI_ERR_BUFFER);
    }
    Communicator::forgotten = forget_requests;
    Repeated made;
    made.comm = c.comm;
    made.bytes = bytes;
    made.row = d.row;
    made.exchange = std::make_unique<Exchange>(c, *state, *d.plan, send, recv);
    if (const int e = made.exchange->prepare(); e != MPI_SUCCESS) return raise_later(c.comm, e);
    if (made.row) made.row->extra = std::max<std::int64_t>(made.row->extra, made.exchange->extra());
    if (const int e = PMPI_Recv_init(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, c.comm, &made.handle);
        e != MPI_SUCCESS)
        return raise_later(c.comm, e);
    *request = made.handle;
    const std::lock_guard hold(lock);
    all.push_back(std::move(made));
    any = true;
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
    const std::lock_guard hold(lock);
    for (Repeated& r : all) PMPI_Request_free(&r.handle);
    all.clear();
    any = false;
}

}  // namespace hopbine::mpi

using namespace hopbine::mpi;

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

/// Are there requests of hopbine's? Else the functions below need not be called.
HOPBINE_EXPORT int hopbine_has_requests(void) { return any; }

HOPBINE_EXPORT int hopbine_MPI_Start(MPI_Request* request) {
    const std::lock_guard hold(lock);
    Repeated* const r = found(*request);
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
    std::unique_lock hold(lock);
    Repeated* const r = found(*request);
    if (!r) {
        if (!any_under_way()) return kPass;
        hold.unlock();
        int over = 0, error = MPI_SUCCESS;
        go_on_until([&] {
            return error = PMPI_Test(request, &over, status), over || error != MPI_SUCCESS;
        });
        return error;
    }
    finish_alone(*r);
    hold.unlock();
    go_on_until([&] { return !r->under_way(); });
    make_empty(status);
    hold.lock();
    return conclude(*r);
}

HOPBINE_EXPORT int hopbine_MPI_Waitall(int n, MPI_Request requests[], MPI_Status statuses[]) {
    // Ours are over first, and to the library they are idle; the others go on meanwhile by
    // themselves.
    go_on_until([&] { return !ours_under_way(n, requests); });
    const int error = PMPI_Waitall(n, requests, statuses);
    const std::lock_guard hold(lock);
    const int own = conclude_all(n, requests);
    return error != MPI_SUCCESS ? error : own;
}

HOPBINE_EXPORT int hopbine_MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
    const std::lock_guard hold(lock);
    advance_all();
    Repeated* const r = found(*request);
    if (!r) return kPass;
    *flag = !r->under_way();
    if (!*flag) return MPI_SUCCESS;
    make_empty(status);
    return conclude(*r);
}

HOPBINE_EXPORT int hopbine_MPI_Testall(int n, MPI_Request requests[], int* flag,
                                       MPI_Status statuses[]) {
    const std::lock_guard hold(lock);
    advance_all();
    *flag = 0;
    if (ours_under_way(n, requests)) return MPI_SUCCESS;
    const int error = PMPI_Testall(n, requests, flag, statuses);
    if (error != MPI_SUCCESS || !*flag) return error;
    return conclude_all(n, requests);
}

HOPBINE_EXPORT int hopbine_MPI_Testany(int n, MPI_Request requests[], int* index, int* flag,
                                       MPI_Status* status) {
    const std::lock_guard hold(lock);
    advance_all();
    if (const int i = first_over(n, requests); i >= 0) {
        *index = i;
        *flag = 1;
        make_empty(status);
        return conclude(*found(requests[i]));
    }
    const int error = PMPI_Testany(n, requests, index, flag, status);
    if (error == MPI_SUCCESS && *flag && *index == MPI_UNDEFINED && ours_under_way(n, requests))
        *flag = 0;  // not for the library, but there is one
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
    const std::lock_guard hold(lock);
    advance_all();
    const bool waiting = ours_under_way(n, requests);
    int error = PMPI_Testsome(n, requests, out, indices, statuses);
    if (error != MPI_SUCCESS) return error;
    if (*out == MPI_UNDEFINED) {
        if (first_over(n, requests) < 0 && !waiting) return MPI_SUCCESS;
        *out = 0;
    }
    for (int i = first_over(n, requests); i >= 0; i = first_over(n, requests)) {
        if (statuses != MPI_STATUSES_IGNORE) make_empty(statuses + *out);
        indices[(*out)++] = i;
        if (const int e = conclude(*found(requests[i])); e != MPI_SUCCESS) error = e;
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
    const std::lock_guard hold(lock);
    advance_all();
    const Repeated* const r = found(request);
    if (!r) return kPass;
    *flag = !r->under_way();
    if (*flag) make_empty(status);
    return MPI_SUCCESS;
}

HOPBINE_EXPORT int hopbine_MPI_Request_free(MPI_Request* request) {
    const std::lock_guard hold(lock);
    Repeated* const r = found(*request);
    if (!r) return kPass;
    if (r->under_way())
        return raise_later(r->comm,
                           MPI_ERR_REQUEST);  // others wait for what this rank is still to send
    all.remove_if([&](const Repeated& one) { return &one == r; });
    any = !all.empty();
    return PMPI_Request_free(request);
}
}
