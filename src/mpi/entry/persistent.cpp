// Carries out the routes of persistent calls.
#include <atomic>
#include <mutex>
#include <unordered_map>

#include "mpi/device/device_use.hpp"
#include "mpi/device/library_answer.hpp"
#include "mpi/entry/route.hpp"
#include "mpi/entry/serve.hpp"
#include "mpi/requests/drivers.hpp"
#include "mpi/requests/persistent_call.hpp"
#include "mpi/state/errors.hpp"
#include "mpi/sums/not_exact.hpp"
#include "runtime/log.hpp"

namespace hopbine::mpi {

namespace {

/// The calls by the handles that the program has. Those live until it frees them.
class Requests {
public:
    bool any() const { return any_; }
    void add(PersistentCall* call) {
        const LockAmongThreads hold(lock_);
        all_[call->handle()] = call;
        any_ = true;
    }
    /// Null: not hopbine's.
    PersistentCall* find(MPI_Request handle) {
        const LockAmongThreads hold(lock_);
        const auto at = all_.find(handle);
        return at == all_.end() ? nullptr : at->second;
    }
    PersistentCall* take(MPI_Request handle) {
        const LockAmongThreads hold(lock_);
        const auto node = all_.extract(handle);
        any_ = !all_.empty();
        return node ? node.mapped() : nullptr;
    }
    void free_all() {
        for (const auto& [handle, call] : all_) call->give_up();
        all_.clear();
        any_ = false;
    }
    static Requests& get() {
        static Requests& all = *new Requests;
        return all;
    }

private:
    std::mutex lock_;
    std::unordered_map<MPI_Request, PersistentCall*> all_;
    /// Read without the lock: a thread that has the request comes after the one that has added it.
    std::atomic<bool> any_{false};
};

/// Why hopbine_alltoallv_init ends with an error: hopbine serves such calls on no rank.
int cannot_serve(const Call& c, int error, const char* why) {
    if (!c.by_name) return kPass;
    say_once(std::string("hopbine_alltoallv_init: hopbine cannot serve it: ") + why);
    return raise_later(c.comm, error);
}

/// Makes the request of a call that hopbine serves. `sum`: the call is on words of it.
int make_request(Call c, const Route& r, MPI_Request* request,
                 std::unique_ptr<LaterSum> sum = nullptr) {
    const std::shared_ptr<Communicator>& state = r.state->for_persistent();
    c.neighbors = r.neighbors;
    auto call = std::make_unique<PersistentCall>(c, state, std::move(sum));
    if (!call->open(peers_of(*r.state)))
        return cannot_serve(c, MPI_ERR_OTHER, "no tags are left for another persistent call");
    state->count_over(call->endpoint());
    const Served served = choose_persistent(c, r, *state);
    if (!served.plan) return kPass;
    if (!c.varies && fits_mailboxes(c, r.key)) call->use_mailboxes();
    if (const int error = call->bind(r.known, served); error != MPI_SUCCESS)
        return raise_later(c.comm, error);
    if (!sum && NodeRequest::is_wanted(c, *state, r.on_device, r.key.bytes))
        call->use_kernels(*r.state, r.key.bytes);
    *request = call->handle();
    Requests::get().add(call.release());
    return MPI_SUCCESS;
}

/// Makes the request of an exact sum: hopbine serves it wherever it can.
int make_sum(const Call& c, std::unique_ptr<LaterSum> sum, MPI_Request* request) {
    Call call = sum->call();
    call.by_name = true;
    const Route r = route(call, Form::persistent);
    call.by_name = false;
    const int code = r.later ? make_request(call, r, request, std::move(sum)) : kPass;
    if (code == kPass)
        note_not_exact(c, Form::persistent, r.why ? r.why : "hopbine cannot serve the request");
    return code;
}

/// Whether the MPI library would get device memory, and not take it: the other ranks leave the call
/// to it, for nobody had a GPU library in MPI_Init. Says so.
bool stages_late(const Call& c, Communicator& state) {
    if (settings().gpu != Gpu::automatic || passes_on_device() || !on_device(c, state))
        return false;
    say_rank(
        "a persistent collective on GPU memory cannot be served: the GPU's library was loaded "
        "after MPI_Init; load it before, or use --gpu staged");
    return true;
}

/// Carries out the route of a persistent call.
int make(const Call& c, MPI_Request* request) {
    try {
        const auto hold = Communicator::among_threads(c.comm);
        if (c.by_name && !calls_progress()) return make_library_alltoallv(c, request);
        if (request)
            if (auto sum = later_sum_of(c, Form::persistent))
                return make_sum(c, std::move(sum), request);
        const Route r = request ? route(c, Form::persistent) : Route{};
        if (r.later) return make_request(c, r, request);
        if (r.state && stages_late(c, *r.state)) return raise_later(c.comm, MPI_ERR_BUFFER);
        if (c.by_name && !r.state) return MPI_ERR_OTHER;
        return r.error == MPI_SUCCESS ? kPass : cannot_serve(c, r.error, r.why);
    } catch (const std::exception& e) {
        return raise_later(c.comm, error_class(e, c.collective, "persistent "));
    }
}

}  // namespace

int make_persistent(const Call& c, MPI_Request* request) { return make(c, request); }

void end_persistent() { Requests::get().free_all(); }

}  // namespace hopbine::mpi

using namespace hopbine::mpi;

extern "C" {

/// See include/hopbine/hopbine_mpi.h.
int hopbine_prepare(const void* send, const int sc[], const int sd[], MPI_Datatype st, void* recv,
                    const int rc[], const int rd[], MPI_Datatype rt, MPI_Comm comm, MPI_Info,
                    MPI_Request* request) {
    Call call = alltoallv_call(send, sc, sd, st, recv, rc, rd, rt, comm);
    call.by_name = true;
    return make(call, request);
}

/// Whether hopbine has requests. If not, the functions below need not be called.
int hopbine_has_requests(void) {
    return Requests::get().any() || (!calls_progress() && any_library_alltoallv());
}

int hopbine_MPI_Start(MPI_Request* request) {
    PersistentCall* const call = Requests::get().find(*request);
    return call ? raise_later(call->user(), call->start()) : kPass;
}

int hopbine_MPI_Startall(int n, MPI_Request requests[]) {
    for (int i = 0; i < n; ++i) {
        int e = hopbine_MPI_Start(&requests[i]);
        if (e == kPass) e = PMPI_Start(&requests[i]);
        if (e != MPI_SUCCESS) return e;
    }
    return MPI_SUCCESS;
}

int hopbine_MPI_Request_free(MPI_Request* request) {
    PersistentCall* const call = Requests::get().take(*request);
    if (!call) {
        forget_library_alltoallv(*request);
        return kPass;
    }
    call->give_up();
    return kPass;
}
}
