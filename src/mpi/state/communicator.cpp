#include "mpi/state/communicator.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "mpi/progress/library_symbol.hpp"
#include "mpi/state/log.hpp"
#include "mpi/state/nonblocking.hpp"
#include "mpi/state/rank_location.hpp"
#include "mpi/state/summary.hpp"
#include "mpi/state/world.hpp"
#include "runtime/settings.hpp"

namespace hopbine::mpi {

namespace {

std::atomic<int> keyval{MPI_KEYVAL_INVALID};
std::mutex communicators_lock;
/// User communicators with state, in the order of their first use. It is the same on all ranks of
/// each.
std::vector<MPI_Comm> living;

/// What is kept of a user's communicator, as its attribute.
struct Kept {
    int first_calls = 0;  ///< that have completed before it had a state
    std::unique_ptr<Communicator> state;
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
        ++Communicator::generation;
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

std::atomic<unsigned> Communicator::generation{0};

Communicator* Communicator::of(MPI_Comm comm) {
    Kept* const kept = kept_of(comm);
    if (kept && !kept->state) kept->state.reset(new Communicator(comm));
    return kept ? kept->state.get() : nullptr;
}

Communicator::AtCall Communicator::at_call(MPI_Comm comm, bool among_neighbors) {
    Kept* const kept = kept_of(comm);
    const bool first = kept && !kept->state && kept->first_calls < kFirstCalls &&
                       !among_neighbors && comm != MPI_COMM_WORLD && library_serves_first_calls();
    return first ? AtCall{nullptr, &kept->first_calls} : AtCall{of(comm), nullptr};
}

/// Whether nothing is lost where the library serves the first calls of a communicator: no rule and
/// no statistics ask for them, and the counted choice is the library's. The same on all ranks. Not
/// where threads may call at once, as the calls are counted without a lock.
bool Communicator::library_serves_first_calls() {
    const Settings& s = settings();
    if (!s.measures || s.staged || s.peers > 0 || !s.stats.empty() || !s.asked.rules.empty() ||
        !s.file.rules.empty() || !World::get().open() || World::get().threaded())
        return false;
    static const bool not_scarce = [] {
        Communicator* const all = of(MPI_COMM_WORLD);
        return all && select::library_first(all->located(), true, true) != nullptr;
    }();
    return not_scarce;
}

void Communicator::begin_free(MPI_Comm comm) {
    freeing.push_back(comm);
    ++generation;
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

Communicator::Communicator(MPI_Comm comm) : user_(comm) {
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    if (World::get().open()) members_ = World::get().members(comm);
    unusable_ = find_unusable();
    note_unserved(unusable_);
    learned_ = learned_by(members_);
}

Communicator::Communicator(const Communicator& other, Form form)
    : rank(other.rank),
      size(other.size),
      user_(other.user_),
      form_(form),
      shape_(other.shape()),
      unusable_(other.find_unusable()),
      members_(other.members_),
      learned_(std::make_shared<Learned>()) {}

std::unique_ptr<Communicator> Communicator::for_form(Form form) const {
    return std::unique_ptr<Communicator>(new Communicator(*this, form));
}

const std::shared_ptr<Communicator>& Communicator::for_persistent() {
    if (!persistent_) persistent_ = for_form(Form::persistent);
    return persistent_;
}

/// Communicators of the same ranks share what was learned: programs duplicate and free them. Not
/// where threads may call at once: then ranks may call on two communicators in different orders,
/// and each is to be counted alone.
std::shared_ptr<Communicator::Learned> Communicator::learned_by(const std::vector<int>& members) {
    static std::map<std::vector<int>, std::shared_ptr<Learned>> all;
    if (World::get().threaded() || members.empty()) return std::make_shared<Learned>();
    const std::lock_guard hold(communicators_lock);
    std::shared_ptr<Learned>& known = all[members];
    if (!known) known = std::make_shared<Learned>();
    return known;
}

/// Finds why the MPI library serves every call, without communication. All members find a reason,
/// or none does.
std::string Communicator::find_unusable() const {
    int between = 0;
    PMPI_Comm_test_inter(user_, &between);
    if (between) return "intercommunicator";
    if (size == 1) return "one rank";
    const World& world = World::get();
    if (!world.open()) return world.why_closed();
    if (members_.empty()) return "ranks of another MPI_COMM_WORLD";
    const std::uint64_t own =
        world.ranks()[static_cast<std::size_t>(members_[static_cast<std::size_t>(rank)])].settings;
    for (int r : members_)
        if (world.ranks()[static_cast<std::size_t>(r)].settings != own)
            return "settings differ between ranks";
    return settings().broken.empty() ? "" : "settings cannot be used";
}

Communicator::~Communicator() {
    if (persistent_) persistent_->user_ = MPI_COMM_WORLD;
    if (nonblocking_calls) nonblocking_calls->choice().user_ = MPI_COMM_WORLD;
}

bool Communicator::open(DeviceUse use) {
    if (tags_.is_open()) return true;
    if (!unusable_.empty()) return false;
    int most = static_cast<int>(use);
    if (!tags_.open(user_, size, &most)) {
        close();
        return false;
    }
    endpoint_ = endpoint(tags_);
    device.start(use, static_cast<DeviceUse>(most));
    return true;
}

/// Leaves all calls to the library, since a rank has no tags left.
void Communicator::close() {
    if (!unusable_.empty()) return;
    unusable_ = "no tags left";
    say("no tags are left for one of its communicators of " + std::to_string(size) +
        " ranks; the MPI library serves its calls.");
}

Endpoint Communicator::endpoint(const TagSpace& tags) const {
    return {{members_.data(), tags.tags(), tags.tag()}, World::get().comm()};
}

const select::LocatedRanks& Communicator::located() {
    if (!located_) {
        std::vector<std::uint64_t> nodes, groups;
        for (int r : members_) {
            nodes.push_back(World::get().ranks()[static_cast<std::size_t>(r)].node);
            groups.push_back(World::get().ranks()[static_cast<std::size_t>(r)].group);
        }
        located_.emplace(placement_of(nodes, groups), torus());
    }
    return *located_;
}

Chooser& Communicator::chooser() {
    if (!learned_->chooser)
        learned_->chooser =
            std::make_unique<Chooser>(located(), settings().patience, form_ != Form::blocking);
    return *learned_->chooser;
}

bool Communicator::has_all_in_order() const {
    return members_.size() == World::get().ranks().size() && std::ranges::is_sorted(members_);
}

/// Prints once, on one rank of the communicator: world rank 0 where it is a member.
void Communicator::say(const std::string& what) const {
    const bool has_first = std::ranges::find(members_, 0) != members_.end();
    say_once(what, has_first ? members_[static_cast<std::size_t>(rank)] == 0 : rank == 0);
}

const Reduction& Communicator::find_reduction(MPI_Op op, const Type& type) {
    // Handles of derived datatypes and user-defined operations may be freed and reused for others.
    const bool same = reduction_.predefined && reduction_.op == op && type.named &&
                      reduction_.type.named && reduction_.type.handle == type.handle;
    if (!same) reduction_ = describe(op, type);
    return reduction_;
}

}  // namespace hopbine::mpi
