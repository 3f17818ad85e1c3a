#include "mpi/state/world.hpp"

#include <atomic>
#include <numeric>

#include "choice/job_text.hpp"
#include "device/runtime.hpp"
#include "location/process_numbers.hpp"
#include "mpi/execute/messages.hpp"
#include "mpi/progress/library_progress.hpp"
#include "runtime/library_symbol.hpp"
#include "runtime/log.hpp"
#include "runtime/settings.hpp"
#include "schedule/hash.hpp"
#include "select/site.hpp"
#include "statistics/statistics.hpp"

namespace hopbine::mpi {

namespace {

/// Read relaxed, in every call: MPI has the program order its calls after MPI_Init.
std::atomic<bool> is_alive{false};

World& stored_world() {
    static World world;
    return world;
}

/// Whether the job is to survive processes that fail: mpirun --with-ft ulfm of Open MPI 5. There a
/// collective of the library's ends with an error on all ranks. One of hopbine's would end on
/// those that the failed process sends to, while others wait for these. MPICH 5 has ULFM's
/// functions too, but its launcher ends a job of which a process fails.
bool survives_failures() {
    const bool* const enabled = library_symbol<const bool*>("ompi_ftmpi_enabled");
    return enabled && *enabled;
}

}  // namespace

bool World::alive() { return is_alive.load(std::memory_order_relaxed); }
const World& World::get() { return stored_world(); }

void World::begin(presence found, bool threaded, bool progresses, std::int64_t ended) {
    int size = 1;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    make_self_comm();
    Job& job = the_job();
#ifdef OPEN_MPI
    job.open_mpi = true;
#endif
    if (survives_failures()) {
        job.why_closed = "the job is to survive processes that fail (ULFM)";
        say_once(job.why_closed + "; the MPI library serves all calls");
    } else if (size == 1 || found == PRESENCE_ALL ||
               (found == PRESENCE_UNKNOWN && settings().everywhere)) {
        stored_world().open_up(threaded, progresses, ended);
    } else if (found == PRESENCE_SOME) {
        job.why_closed = "some ranks of the job do not run under hopbine";
    } else {
        job.why_closed = "the launcher does not tell whether all ranks run under hopbine";
        say_once(job.why_closed +
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
    const std::string version = library_version();
    std::string told = rank == 0 ? job_text(size, version) : "";
    JobRank mine{settings().hash,
                 location::number_of(own.group),
                 location::number_of(own.node),
                 threaded,
                 progresses,
                 told.size(),
                 device::Runtime::get().loaded(),
                 location::memory_number(),
                 location::cores_number(),
                 fnv1a(version),
                 0,
                 0,
                 0};
    const std::int64_t came = now();
    PMPI_Barrier(MPI_COMM_WORLD);
    const std::int64_t met = now();
    comm_ = private_copy(MPI_COMM_WORLD);
    Job& job = the_job();
    job.open = true;
    mine.barrier = static_cast<std::uint64_t>(met - came);
    mine.exchange = static_cast<std::uint64_t>(now() - met);
    mine.start = ended > 0 ? static_cast<std::uint64_t>(met - ended) : 0;
    constexpr int kWords = sizeof(JobRank) / sizeof(std::uint64_t);
    std::vector<JobRank> all(static_cast<std::size_t>(size));
    PMPI_Allgather(&mine, kWords, MPI_UINT64_T, all.data(), kWords, MPI_UINT64_T, comm_);
    job.hear(std::move(all), rank, version);
    if (job.progresses && !library_progresses()) make_own_messages();
    told.resize(job.ranks.front().told);
    if (told.empty()) return;
    PMPI_Bcast(told.data(), static_cast<int>(told.size()), MPI_CHAR, 0, comm_);
    hear_text(told, job);
}

void World::end() {
    is_alive = false;
    World& world = stored_world();
    if (the_job().open) {
        PMPI_Comm_free(&world.comm_);
        PMPI_Group_free(&world.group_);
        the_job().open = false;
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

RankLocation own_location() {
    char name[MPI_MAX_PROCESSOR_NAME] = {};
    int length = 0;
    PMPI_Get_processor_name(name, &length);
    return rank_location(name);
}

std::string library_version() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    PMPI_Get_library_version(text, &length);
    return select::library_word({text, static_cast<std::size_t>(length)});
}

}  // namespace hopbine::mpi
