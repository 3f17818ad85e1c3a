#include <atomic>
#include <mutex>
#include <unordered_map>

#include "mpi/device/device_use.hpp"
#include "mpi/entry/serve.hpp"
#include "mpi/requests/drivers.hpp"
#include "mpi/requests/library_alltoallv.hpp"
#include "mpi/requests/persistent_call.hpp"
#include "mpi/state/errors.hpp"
#include "mpi/state/log.hpp"
#include "mpi/state/neighborhood.hpp"

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
    std::atomic<bool> any_{false};
};

/// Who asks for the call: the program's MPI_..._init, or its hopbine_alltoallv_init, which is told
/// why hopbine cannot serve it.
enum class Asked : std::uint8_t { by_mpi, by_name };

/// The result of a call that hopbine does not serve, on all ranks alike.
int refuse(const Call& c, Asked asked, int error, const std::string& why) {
    if (asked == Asked::by_mpi) return kPass;
    say_once("hopbine_alltoallv_init: " + why);
    return raise_later(c.comm, error);
}

/// What the ranks agree on: the maximum of each.
struct Agreement {
    std::int64_t invalid, device, staged, bytes;
};

Agreement agree(const Agreement& mine, const Communicator& state) {
    Agreement most{};
    PMPI_Allreduce(&mine, &most, 4, MPI_INT64_T, MPI_MAX, state.user());
    return most;
}

/// Collective where the ranks do not know yet what can be joined. `always`: not the MPI library.
Served decide_among_neighbors(const Call& c, Communicator& state, std::int64_t most, bool always) {
    Neighborhood& all = Neighborhood::of(state);
    if (all.prepare(state.endpoint()) != MPI_SUCCESS)
        throw Error("the ranks of a node could not tell each other their neighbours");
    if (always) return all.decide(c.neighbor_blocks(), most, state.endpoint());
    if (all.library_only(c.neighbor_blocks())) return {};
    return all.decide_repeated(c.neighbor_blocks(), most);
}

/// `user`: whose blocking calls may have measured what serves.
Served decide(const Call& c, const Communicator& user, Communicator& state, const Arguments& known,
              const Agreement& all, Asked asked) {
    if (c.neighbors) return decide_among_neighbors(c, state, all.bytes, all.staged);
    if (c.collective == Collective::alltoallv)
        return state.decide_repeated(all.bytes, all.staged || asked == Asked::by_name).served;
    const auto [bytes, root, operands] = known_to_all(c, state, known);
    Served out = state.decide(c.collective, bytes, root, operands).served;
    if (const auto measured = user.measured(c.collective, bytes, operands); measured && out.plan)
        out = state.decide(c.collective, bytes, root, operands, measured).served;
    return out.plan || !all.staged ? out : state.serve_anyhow(c.collective, bytes, root, operands);
}

/// Makes the request of a call on a communicator that hopbine serves.
int make_on(Call c, Communicator& user, Asked asked, MPI_Request* request) {
    const std::shared_ptr<Communicator>& state = user.for_persistent();
    if (c.among_neighbors) c.neighbors = &Neighborhood::of(*state).mine();
    Arguments known;
    const bool valid = examine(c, *state, &known);
    // As in the MPI library, a call that it refuses leaves nothing behind.
    if (!valid && asked == Asked::by_mpi) return kPass;
    const Agreement all = agree({!valid, static_cast<std::int64_t>(device_use(c, *state)),
                                 settings().staged && on_device(c, *state), known.bytes},
                                *state);
    if (all.invalid) return refuse(c, asked, MPI_ERR_ARG, "a rank's arguments are not valid");
    // The CPU reads and writes the buffers whenever the call is started.
    if (static_cast<DeviceUse>(all.device) == DeviceUse::used)
        return refuse(c, asked, MPI_ERR_BUFFER,
                      "a rank's buffer is device memory, which persistent calls serve only with "
                      "--gpu staged (HOPBINE_GPU)");
    if (needs_program(c, *state)) return kPass;
    auto call = std::make_unique<PersistentCall>(c, state);
    if (!call->open(peers_of(user)))
        return refuse(c, asked, MPI_ERR_OTHER, "no tags are left for another persistent call");
    state->count_over(call->endpoint());
    const Served served = decide(c, user, *state, known, all, asked);
    if (!served.plan) return kPass;
    if (fits_mailboxes(c, known_to_all(c, *state, known))) call->use_mailboxes();
    if (const int error = call->bind(known, served); error != MPI_SUCCESS)
        return raise_later(c.comm, error);
    *request = call->handle();
    Requests::get().add(call.release());
    return MPI_SUCCESS;
}

/// Whether the MPI library serves every such call, whatever its arguments. The same on all ranks.
bool library_only(const Call& c, Communicator& state) {
    if (settings().staged) return false;  // not one on device memory
    return c.among_neighbors ? Neighborhood::of(state).library_only(c.neighbor_blocks())
                             : state.library_only(c.collective);
}

int make(const Call& c, Asked asked, MPI_Request* request) {
    if (!calls_progress())
        return asked == Asked::by_mpi ? kPass : make_library_alltoallv(c, request);
    if (!World::alive() || c.comm == MPI_COMM_NULL || !request)
        return asked == Asked::by_mpi ? kPass : MPI_ERR_OTHER;
    Communicator* const user = Communicator::of(c.comm);
    if (!user) return asked == Asked::by_mpi ? kPass : MPI_ERR_OTHER;
    const std::shared_ptr<Communicator>& state = user->for_persistent();
    const bool alone = asked == Asked::by_name && state->size == 1 && World::get().open();
    if (state->unusable() && !alone)
        return refuse(c, asked, MPI_ERR_COMM,
                      "hopbine serves nothing on this communicator: " + state->why_unusable());
    if (asked == Asked::by_mpi && library_only(c, *state)) return kPass;
    return make_on(c, *user, asked, request);
}

int make_guarded(const Call& c, Asked asked, MPI_Request* request) {
    try {
        return make(c, asked, request);
    } catch (const std::exception& e) {
        return raise_later(c.comm, error_class(e, c.collective, "persistent "));
    }
}

}  // namespace

int make_persistent(const Call& c, MPI_Request* request) {
    return make_guarded(c, Asked::by_mpi, request);
}

void end_persistent() { Requests::get().free_all(); }

}  // namespace hopbine::mpi

using namespace hopbine::mpi;

extern "C" {

/// See include/hopbine/hopbine_mpi.h.
HOPBINE_EXPORT int hopbine_prepare(const void* send, const int sc[], const int sd[],
                                   MPI_Datatype st, void* recv, const int rc[], const int rd[],
                                   MPI_Datatype rt, MPI_Comm comm, MPI_Info, MPI_Request* request) {
    return make_guarded(alltoallv_call(send, sc, sd, st, recv, rc, rd, rt, comm), Asked::by_name,
                        request);
}

/// Whether hopbine has requests. If not, the functions below need not be called.
HOPBINE_EXPORT int hopbine_has_requests(void) {
    return Requests::get().any() || (!calls_progress() && any_library_alltoallv());
}

HOPBINE_EXPORT int hopbine_MPI_Start(MPI_Request* request) {
    PersistentCall* const call = Requests::get().find(*request);
    return call ? raise_later(call->user(), call->start()) : kPass;
}

HOPBINE_EXPORT int hopbine_MPI_Startall(int n, MPI_Request requests[]) {
    for (int i = 0; i < n; ++i) {
        int e = hopbine_MPI_Start(&requests[i]);
        if (e == kPass) e = PMPI_Start(&requests[i]);
        if (e != MPI_SUCCESS) return e;
    }
    return MPI_SUCCESS;
}

HOPBINE_EXPORT int hopbine_MPI_Request_free(MPI_Request* request) {
    PersistentCall* const call = Requests::get().take(*request);
    if (!call) {
        forget_library_alltoallv(*request);
        return kPass;
    }
    call->give_up();
    return kPass;
}
}
