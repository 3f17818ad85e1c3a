#include "mpi/watch/begin_watch.hpp"

#include <dlfcn.h>
#include <mpi.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "choice/rank_location.hpp"
#include "mpi/state/passing.hpp"
#include "mpi/state/world.hpp"
#include "mpi/watch/compare_calls.hpp"
#include "mpi/watch/names.hpp"
#include "mpi/watch/watched_comms.hpp"
#include "runtime/log.hpp"
#include "runtime/settings.hpp"
#include "schedule/problem.hpp"
#include "watch/abort.hpp"
#include "watch/calls.h"
#include "watch/link.hpp"
#include "watch/rendezvous.hpp"

namespace hopbine::mpi {

namespace {

watch_record* own_record = nullptr;  ///< null: this rank is not watched

/// The folder of hopbine's libraries, of which this is one.
std::string own_folder() {
    Dl_info self{};
    if (!dladdr(reinterpret_cast<const void*>(&begin_watch), &self) || !self.dli_fname) return ".";
    const std::string file = self.dli_fname;
    const std::size_t slash = file.rfind('/');
    return slash == file.npos ? "." : file.substr(0, slash);
}

/// Whether all ranks want the same: then none waits for another here.
bool all_watch() {
    if (!job().open || job().ranks.size() < 2 || settings().watch.limit <= 0) return false;
    const std::uint64_t first = job().ranks.front().settings;
    return std::ranges::all_of(job().ranks, [&](const auto& r) { return r.settings == first; });
}

std::size_t nodes_of_job() {
    std::set<std::uint64_t> all;
    for (const JobRank& r : job().ranks) all.insert(r.node);
    return all.size();
}

/// `server`: for watchers of other nodes; null: they connect elsewhere, or there are none.
watch_record* join_watcher(const watch::Secret& secret, const watch::Server* server) {
    watch::Hello hello;
    hello.secret = secret;
    hello.limit = settings().watch.limit;
    hello.aborts = settings().watch.aborts;
    hello.checks = settings().watch.checks;
    if (hello.aborts) watch::end_on_abort();
    return watch::join(hello, own_location().node, own_folder(), server ? server->file() : -1);
}

/// Writes what MPI knows. Calls are recorded once this has returned.
void fill(watch_record& record, int rank, const watch_head& head) {
    record.rank = rank;
    record.ranks = static_cast<std::int32_t>(job().ranks.size());
    record.handle_bits = sizeof(MPI_Comm) == 8 ? ~std::uint64_t{0} : 0xFFFFFFFFu;
    record.in_place = reinterpret_cast<std::int64_t>(MPI_IN_PLACE);
    record.world = word_of(MPI_COMM_WORLD);
    add_names(record);
    add_comm(record, MPI_COMM_WORLD, MPI_COMM_NULL, 0, nullptr);
    add_comm(record, MPI_COMM_SELF, MPI_COMM_NULL, 0, nullptr);
    record.head = head;
    __atomic_store_n(&record.has_head, 1u, __ATOMIC_RELEASE);
}

void compare_where_all_do(MPI_Comm comm) {
    int watched = own_record != nullptr;
    PMPI_Allreduce(MPI_IN_PLACE, &watched, 1, MPI_INT, MPI_MIN, comm);
    if (watched)
        begin_comparing(*own_record);
    else
        say_once("calls are not compared, as a rank is not watched");
}

}  // namespace

void begin_watch() {
    if (!all_watch()) return;
    const MPI_Comm comm = World::get().comm();
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    const bool several = nodes_of_job() > 1;
    watch::Secret secret;
    watch_head head{};
    std::optional<watch::Server> server;
    watch_record* record = nullptr;
    std::string why;
    const auto attempt = [&](const auto& work) {
        try {
            work();
        } catch (const Error& e) {
            why = e.what();  // the ranks meet all the same
        }
    };
    if (rank == 0) attempt([&] { secret = watch::draw_secret(); });
    PMPI_Bcast(&secret, sizeof secret, MPI_BYTE, 0, comm);
    if (several && rank == 0) attempt([&] { server.emplace(secret); });
    attempt([&] { record = join_watcher(secret, server ? &*server : nullptr); });
    if (server) head = server->head();
    if (several) PMPI_Bcast(&head, sizeof head, MPI_BYTE, 0, comm);
    if (!why.empty() && settings().watch.asked) say_rank("this rank is not watched: " + why);
    if (record) {
        fill(*record, rank, head);
        own_record = record;
    }
    if (settings().watch.checks) compare_where_all_do(comm);
}

}  // namespace hopbine::mpi

using namespace hopbine::mpi;

extern "C" {

/// Where the preload library records calls; null: nowhere.
watch_record* hopbine_watch(void) { return own_record; }

/// Called when `function` has made a communicator from another one, at a return address. Not called
/// where calls are not recorded.
void hopbine_made(const MPI_Comm* made, MPI_Comm from, int function, const void* site) {
    if (!made || *made == MPI_COMM_NULL) return;
    add_comm(*own_record, *made, from, static_cast<std::uint32_t>(function), site);
    if (function != WATCH_Comm_idup) compare_calls_of(*made);  // that one is not made yet
}

/// Whether hopbine_compare is to be called. Asked once, when MPI has been initialised.
int hopbine_compares(void) { return compares_calls(); }

/// Called before the rank makes a collective on the communicator that the argument `at` is.
void hopbine_compare(const watch_call* call, int at) {
    if (compares_calls()) compare_call(*call, at);
}

/// Whether a call that has ended with an error has happened all the same, to the other ranks too: a
/// message that was too long has come.
int hopbine_has_happened(int error) {
    int kind = MPI_SUCCESS;
    PMPI_Error_class(error, &kind);
    return kind == MPI_ERR_TRUNCATE;
}

/// Called when the call that was compared last has not happened.
void hopbine_compared_failed(void) {
    if (compares_calls()) call_failed();
}
}
