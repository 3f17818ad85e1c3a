#include "mpi/state/world.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>

#include "device/runtime.hpp"
#include "mpi/execute/messages.hpp"
#include "mpi/progress/library_progress.hpp"
#include "mpi/progress/library_symbol.hpp"
#include "mpi/state/log.hpp"
#include "mpi/state/rank_location.hpp"
#include "mpi/state/stats.hpp"
#include "runtime/settings.hpp"
#include "select/site.hpp"

namespace hopbine::mpi {

namespace {

/// Read relaxed, in every call: MPI has the program order its calls after MPI_Init.
std::atomic<bool> is_alive{false};

World& stored_world() {
    static World world;
    return world;
}

/// Reports settings that differ or are invalid. They come from each rank's environment and are used
/// only where they are equal.
void say_what_is_wrong(const std::vector<World::Rank>& ranks) {
    const Settings& s = settings();
    bool equal = true;
    for (const World::Rank& r : ranks) equal &= r.settings == ranks.front().settings;
    if (!equal) {
        say_once(
            "HOPBINE_ settings differ between ranks of the job; the MPI library serves the calls "
            "of communicators on which "
            "they do. Give every rank the same settings.");
        if (!s.broken.empty()) say_rank(s.broken);
    } else if (!s.broken.empty()) {
        say_once(s.broken + "; the MPI library serves all calls.");
    }
}

/// Whether the job is to survive processes that fail: mpirun --with-ft ulfm of Open MPI 5. There a
/// collective of the library's ends with an error on all ranks. One of hopbine's would end on
/// those that the failed process sends to, while others wait for these. MPICH 5 has ULFM's
/// functions too, but its launcher ends a job of which a process fails.
bool survives_failures() {
    const bool* const enabled = library_symbol<const bool*>("ompi_ftmpi_enabled");
    return enabled && *enabled;
}

/// Cores of the nodes, and the ranks on them. Ranks that may run on the same cores share them;
/// other ranks' are others: launchers bind each to cores of its own, or none to any.
struct NodeCores {
    std::int64_t ranks = 0;
    std::map<std::uint64_t, std::int64_t> sets;
    std::int64_t cores() const {
        std::int64_t sum = 0;
        for (const auto& [set, count] : sets) sum += count;
        return sum;
    }
};
std::map<std::uint64_t, NodeCores> cores_of_nodes(const std::vector<World::Rank>& ranks) {
    std::map<std::uint64_t, NodeCores> out;
    for (const World::Rank& r : ranks) {
        NodeCores& node = out[r.node];
        ++node.ranks;
        node.sets.emplace(r.cores, cores_in(r.cores));
    }
    return out;
}

}  // namespace

bool World::alive() { return is_alive.load(std::memory_order_relaxed); }
const World& World::get() { return stored_world(); }

void World::begin(presence found, bool threaded, bool progresses, std::int64_t ended) {
    World& world = stored_world();
    int size = 1;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    make_self_comm();
    if (survives_failures()) {
        world.why_closed_ = "the job is to survive processes that fail (ULFM)";
        say_once(world.why_closed_ + "; the MPI library serves all calls");
    } else if (size == 1 || found == PRESENCE_ALL ||
               (found == PRESENCE_UNKNOWN && settings().everywhere)) {
        world.open_up(threaded, progresses, ended);
    } else if (found == PRESENCE_SOME) {
        world.why_closed_ = "some ranks of the job do not run under hopbine";
    } else {
        world.why_closed_ = "the launcher does not tell whether all ranks run under hopbine";
        say_once(world.why_closed_ +
                 "; the MPI library serves all calls. If all do, say so: hopbine run --everywhere");
    }
    is_alive = true;
}

/// The ranks meet in a barrier, so that what follows takes what it takes.
void World::open_up(bool threaded, bool progresses, std::int64_t ended) {
    int size = 0, rank = 0;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_group(MPI_COMM_WORLD, &group_);
    const RankLocation own = own_location();
    std::string told = rank == 0 ? job_text(size) : "";
    Rank mine{settings().hash,
              number_of(own.group),
              number_of(own.node),
              threaded,
              progresses,
              told.size(),
              device::Runtime::get().loaded(),
              memory_number(),
              cores_number(),
              0,
              0,
              0};
    const std::int64_t came = now();
    PMPI_Barrier(MPI_COMM_WORLD);
    const std::int64_t met = now();
    comm_ = private_copy(MPI_COMM_WORLD);
    mine.barrier = static_cast<std::uint64_t>(met - came);
    mine.exchange = static_cast<std::uint64_t>(now() - met);
    mine.start = ended > 0 ? static_cast<std::uint64_t>(met - ended) : 0;
    constexpr int kWords = sizeof(Rank) / sizeof(std::uint64_t);
    ranks_.resize(static_cast<std::size_t>(size));
    PMPI_Allgather(&mine, kWords, MPI_UINT64_T, ranks_.data(), kWords, MPI_UINT64_T, comm_);
    threaded_ = std::ranges::any_of(ranks_, [](const Rank& r) { return r.threaded != 0; });
    progresses_ = std::ranges::all_of(ranks_, [](const Rank& r) { return r.progresses != 0; });
    device_loaded_ = std::ranges::any_of(ranks_, [](const Rank& r) { return r.device != 0; });
    price_start(mine);
    if (progresses_ && !library_progresses()) make_own_messages();
    say_what_is_wrong(ranks_);
    if (ranks_.front().told == 0) return;
    told.resize(ranks_.front().told);
    PMPI_Bcast(told.data(), static_cast<int>(told.size()), MPI_CHAR, 0, comm_);
    const NodeCores first = cores_of_nodes(ranks_).at(ranks_.front().node);
    job_ = job_of(told, select::cores_word(first.cores(), first.ranks));
}

void World::price_start(const Rank& mine) {
    const auto seconds = [](std::uint64_t time) { return static_cast<double>(time) * 1e-9; };
    std::vector<std::uint64_t> exchanges;
    for (const Rank& r : ranks_) exchanges.push_back(r.exchange);
    const auto middle = exchanges.begin() + static_cast<std::ptrdiff_t>(exchanges.size() / 2);
    std::ranges::nth_element(exchanges, middle);
    exchange_ = seconds(*middle);
    const std::uint64_t least = std::ranges::min(ranks_, {}, &Rank::start).start,
                        first = std::ranges::min(ranks_, {}, &Rank::barrier).barrier,
                        own = least - std::min(least, first);
    waited_ = seconds(mine.start - std::min(mine.start, own));
    start_ = seconds(own) + 2 * exchange_;  // those after the barrier
}

void World::end() {
    is_alive = false;
    World& world = stored_world();
    if (world.open()) {
        PMPI_Comm_free(&world.comm_);
        PMPI_Group_free(&world.group_);
    }
    free_own_messages();
    free_self_comm();
}

std::vector<int> World::members(MPI_Comm comm) const {
    MPI_Group group;
    if (PMPI_Comm_group(comm, &group) != MPI_SUCCESS) return {};
    int size = 0;
    PMPI_Group_size(group, &size);
    std::vector<int> theirs(static_cast<std::size_t>(size)), out(theirs.size());
    std::iota(theirs.begin(), theirs.end(), 0);
    PMPI_Group_translate_ranks(group, size, theirs.data(), group_, out.data());
    PMPI_Group_free(&group);
    for (int r : out)
        if (r == MPI_UNDEFINED) return {};
    return out;
}

bool World::share_memory(const std::vector<int>& members) const {
    const auto at = [&](int r) -> const Rank& { return ranks_[static_cast<std::size_t>(r)]; };
    return std::ranges::all_of(members, [&](int r) {
        return at(r).node != 0 && at(r).memory != 0 && at(r).node == at(members.front()).node &&
               at(r).memory == at(members.front()).memory;
    });
}

}  // namespace hopbine::mpi
