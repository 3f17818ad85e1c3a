#include "mpi/state/communicator.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>

#include "choice/first_calls.hpp"
#include "choice/summary.hpp"
#include "mpi/neighborhood/topology.hpp"
#include "mpi/progress/engine.hpp"
#include "mpi/state/nonblocking.hpp"
#include "mpi/state/world.hpp"
#include "runtime/library_symbol.hpp"
#include "runtime/settings.hpp"

namespace hopbine::mpi {

namespace {

/// Made once, with a lock; who reads it without acquires what has made it.
std::atomic<int> keyval{MPI_KEYVAL_INVALID};
std::mutex communicators_lock;
/// User communicators with state, in the order of their first use. It is the same on all ranks of
/// each.
std::vector<MPI_Comm> living;

/// What is kept of a user's communicator, as its attribute.
struct Kept {
    FirstCalls first_calls;
    std::recursive_mutex calls;  ///< in an operation or a callback, a thread may call again
    std::unique_ptr<Communicator> state;
    std::unique_ptr<Communicator> aside;  ///< this rank alone has it: the others count first calls
};

/// The communicator of this thread's last call. A lookup of an attribute in the MPI library takes
/// longer than everything else before a small message is sent.
struct LastUsed {
    MPI_Comm comm = MPI_COMM_NULL;
    unsigned generation = 0;
    Kept* kept = nullptr;
};
thread_local LastUsed last_used;

/// Communicators that this thread is freeing, the innermost last.
thread_local std::vector<MPI_Comm> freeing;

/// MPI calls this when the user frees the communicator.
int forget(MPI_Comm comm, int, void* kept, void*) {
    {
        const std::lock_guard hold(communicators_lock);
        std::erase(living, comm);
        Communicator::expire();
    }
    delete static_cast<Kept*>(kept);
    return MPI_SUCCESS;
}

/// Whether ranks are threads (MPIX_Threadcomm_init of MPICH): those of a process would share one
/// state.
bool is_of_threads(MPI_Comm comm) {
    static const auto test = library_symbol<int (*)(MPI_Comm, int*)>("PMPIX_Comm_test_threadcomm");
    int of_threads = 0;
    return test && test(comm, &of_threads) == MPI_SUCCESS && of_threads;
}

/// Makes what is kept of a communicator, for which another thread that is to do so waits. Without
/// the lock: the MPI library, which may have one of its own, frees communicators with forget().
class Making {
public:
    explicit Making(MPI_Comm comm) : comm_(comm) {
        std::unique_lock hold(communicators_lock);
        ended_.wait(hold, [&] { return std::ranges::find(all_, comm_) == all_.end(); });
        all_.push_back(comm_);
    }
    Making(const Making&) = delete;
    Making& operator=(const Making&) = delete;
    ~Making() {
        const std::lock_guard hold(communicators_lock);
        std::erase(all_, comm_);
        ended_.notify_all();
    }

private:
    const MPI_Comm comm_;
    static inline std::vector<MPI_Comm> all_;
    static inline std::condition_variable ended_;
};

/// Null when nothing can be kept, and while this thread frees the communicator.
Kept* find_or_keep(MPI_Comm comm) {
    if (keyval == MPI_KEYVAL_INVALID) {
        const std::lock_guard hold(communicators_lock);
        int made = MPI_KEYVAL_INVALID;
        if (keyval == MPI_KEYVAL_INVALID) {
            if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &made, nullptr) !=
                MPI_SUCCESS)
                return nullptr;
            keyval = made;
        }
    }
    // What a callback that deletes another attribute keeps would outlive the communicator.
    if (std::ranges::find(freeing, comm) != freeing.end()) return nullptr;
    void* kept = nullptr;
    int found = 0;
    if (PMPI_Comm_get_attr(comm, keyval, &kept, &found) != MPI_SUCCESS) return nullptr;
    if (found) return static_cast<Kept*>(kept);
    if (is_of_threads(comm)) return nullptr;
    const Making alone(comm);
    // Another thread may have made it meanwhile.
    if (PMPI_Comm_get_attr(comm, keyval, &kept, &found) != MPI_SUCCESS) return nullptr;
    if (found) return static_cast<Kept*>(kept);
    auto made = std::make_unique<Kept>();
    if (PMPI_Comm_set_attr(comm, keyval, made.get()) != MPI_SUCCESS) return nullptr;
    const std::lock_guard hold(communicators_lock);
    living.push_back(comm);
    return made.release();
}

Kept* kept_of(MPI_Comm comm) {
    const unsigned now = Communicator::generation;
    if (last_used.comm != comm || last_used.generation != now || !last_used.kept)
        last_used = {comm, now, find_or_keep(comm)};
    return last_used.kept;
}

}  // namespace

std::atomic<unsigned> Communicator::generation{0}, Communicator::generation_of_handles{0};

Communicator* Communicator::of(MPI_Comm comm) {
    Kept* const kept = kept_of(comm);
    if (kept && !kept->state) kept->state.reset(new Communicator(comm));
    return kept ? kept->state.get() : nullptr;
}

Communicator* Communicator::aside(MPI_Comm comm) {
    Kept* const kept = kept_of(comm);
    if (!kept || kept->state) return kept ? kept->state.get() : nullptr;
    if (!kept->aside) kept->aside.reset(new Communicator(comm));
    return kept->aside.get();
}

Communicator::AtCall Communicator::at_call(MPI_Comm comm, bool among_neighbors) {
    Kept* const kept = kept_of(comm);
    if (!kept) return {};
    FirstCalls* const first = &kept->first_calls;
    if (first->ended() || among_neighbors || !library_serves_first_calls()) return {of(comm)};
    return first->pass() ? AtCall{nullptr, first} : AtCall{of(comm), first};
}

/// Whether nothing is lost where the library serves the first calls of a communicator: no rule and
/// no statistics ask for them, no earlier job has learned of such calls, and the counted choice is
/// the library's. The same on all ranks. Not where threads may call at once, as the calls are
/// counted without a lock.
bool Communicator::library_serves_first_calls() {
    const Settings& s = settings();
    if (!s.measures || s.exact_sums || s.asks_for_gpu() || s.peers > 0 || !s.stats.empty() ||
        !s.asked.rules.empty() || !s.file.rules.empty() || !job().open || job().threaded ||
        !job().learned.rules.empty())
        return false;
    static const char* const why = [] {
        Communicator* const all = of(MPI_COMM_WORLD);
        const char* const first = all ? select::library_first(all->located(), true, true) : nullptr;
        if (first) note_unserved(first, 0);
        return first;
    }();
    return why;
}

std::unique_lock<std::recursive_mutex> Communicator::among_threads(MPI_Comm comm) {
    if (!Engine::get().threaded() || !World::alive() || comm == MPI_COMM_NULL) return {};
    Kept* const kept = kept_of(comm);
    return kept ? std::unique_lock(kept->calls) : std::unique_lock<std::recursive_mutex>();
}

void Communicator::begin_free(MPI_Comm comm) {
    freeing.push_back(comm);
    expire();
}

void Communicator::end_free() {
    if (!freeing.empty()) freeing.pop_back();
}

void Communicator::end_all() {
    std::vector<MPI_Comm> all;
    {
        const std::lock_guard hold(communicators_lock);
        all = living;
    }
    for (MPI_Comm comm : all) PMPI_Comm_delete_attr(comm, keyval);
}

Communicator::Communicator(MPI_Comm comm)
    : Group(comm),
      plans(*this),
      decider(*this, plans, Knowledge::of(members())),
      learning(*this, decider) {}

Communicator::Communicator(const Communicator& other, Form form)
    : Group(other, form),
      plans(*this),
      decider(*this, plans, std::make_shared<Knowledge>()),
      learning(*this, decider) {}

Communicator::Communicator(const Communicator& of, std::span<const int> ranks)
    : Group(of, ranks),
      plans(*this),
      decider(*this, plans, std::make_shared<Knowledge>()),
      learning(*this, decider) {}

void Communicator::have_devices(std::shared_ptr<NodeGroup> group) {
    node_group = std::move(group);
    if (node_group && device_ranks() < size)
        between_nodes.reset(new Communicator(*this, of_place()));
}

std::unique_ptr<Communicator> Communicator::for_form(Form form) const {
    return std::unique_ptr<Communicator>(new Communicator(*this, form));
}

const std::shared_ptr<Communicator>& Communicator::for_persistent() {
    if (!persistent_) persistent_ = for_form(Form::persistent);
    return persistent_;
}

Neighborhood& Communicator::neighborhood() {
    if (!neighborhood_)
        neighborhood_ = std::make_unique<Neighborhood>(*this, read_topology(user()));
    return *neighborhood_;
}

sums::SumState& Communicator::sums() {
    if (!sums_) sums_ = std::make_unique<sums::SumState>();
    return *sums_;
}

Communicator::~Communicator() {
    if (persistent_) persistent_->outlive();
    if (nonblocking_calls) nonblocking_calls->choice().outlive();
}

const Reduction& Communicator::find_reduction(MPI_Op op, const Type& type) {
    // Handles of derived datatypes and user-defined operations may be freed and reused for others.
    const bool same = reduction_.predefined && reduction_.op == op && type.named &&
                      reduction_.type.named && reduction_.type.handle == type.handle;
    if (!same) reduction_ = describe(op, type);
    return reduction_;
}

}  // namespace hopbine::mpi
