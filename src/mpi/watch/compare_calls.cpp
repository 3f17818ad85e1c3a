#include "mpi/watch/compare_calls.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "mpi/execute/messages.hpp"
#include "mpi/watch/compared_call.hpp"
#include "mpi/watch/names.hpp"
#include "watch/findings.hpp"
#include "watch/function.hpp"
#include "watch/reports.hpp"

namespace hopbine::mpi {

namespace {

using Clock = std::chrono::steady_clock;

/// How long a rank waits for the report of its call: that of other nodes' ranks takes a second,
/// and addr2line some for a large program.
constexpr auto kPatience = std::chrono::seconds(10);
/// How long a communicator's end waits for calls that ranks have started.
constexpr auto kPatienceAtEnd = std::chrono::seconds(1);
/// Calls under way that are looked at each time; a program may start thousands.
constexpr int kLookedAt = 16;

/// A call that is compared.
struct Comparison {
    watch_call call;
    watch::CallView view;
    MPI_Comm among;         ///< private
    std::uint64_t mine[2];  ///< the digest, and its complement: the largest of these is the least
    std::uint64_t most[2]{};
    MPI_Request request = MPI_REQUEST_NULL;
    bool differs() const { return most[0] != ~most[1]; }
};

/// A communicator whose calls are compared.
struct Compared {
    MPI_Comm among = MPI_COMM_NULL;  ///< private, of the same ranks; null: it is not compared
    int refused = 0;  ///< calls that the library has refused here: so many later ones are compared
};

watch_record* compared_record = nullptr;
std::mutex lock;                             ///< of the next two
std::map<std::uint64_t, Compared> compared;  ///< by the program's handle
std::list<Comparison> under_way;
/// The handle in this thread's last call, if that was compared, itself or as one that was refused.
thread_local std::optional<std::uint64_t> last;

/// The private communicator that a call is to be compared on.
MPI_Comm private_for_call(std::uint64_t handle) {
    const std::lock_guard hold(lock);
    const auto found = compared.find(handle);
    if (found == compared.end()) return MPI_COMM_NULL;
    if (found->second.refused == 0) return found->second.among;
    --found->second.refused;
    last = handle;  // this one may be refused as well
    return MPI_COMM_NULL;
}

/// Hands the call to the watcher, and waits for its report.
void note_difference(const Comparison& c) {
    static std::mutex noting;
    const std::lock_guard hold(noting);
    watch_record& record = *compared_record;
    if (record.differs == watch::Reports::kMost) return;
    record.differing = c.call;
    record.differing_bytes = c.view.same_bytes ? c.view.bytes : -1;
    record.differing_commutes = c.view.commutes;
    const std::uint32_t mine = record.differs + 1;
    __atomic_store_n(&record.differs, mine, __ATOMIC_RELEASE);
    const auto end = Clock::now() + kPatience;
    while (__atomic_load_n(&record.told, __ATOMIC_ACQUIRE) < mine && Clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// Looks at calls under way. Returns how many of them, or of those of one private communicator, are
/// left.
std::size_t look(MPI_Comm among = MPI_COMM_NULL) {
    std::list<Comparison> over;
    std::size_t left = 0;
    {
        const std::lock_guard hold(lock);
        int looked_at = 0;
        for (auto c = under_way.begin(); c != under_way.end();) {
            const auto next = std::next(c);
            int is_over = 0;
            if (looked_at++ < kLookedAt) PMPI_Test(&c->request, &is_over, MPI_STATUS_IGNORE);
            if (is_over)
                over.splice(over.end(), under_way, c);
            else
                left += among == MPI_COMM_NULL || c->among == among;
            c = next;
        }
    }
    for (const Comparison& c : over)
        if (c.differs()) note_difference(c);
    return left;
}

/// A communicator with calls under way that others never make stays.
void free_private(MPI_Comm among) {
    const auto end = Clock::now() + kPatienceAtEnd;
    while (look(among) > 0)
        if (Clock::now() > end) return;
    PMPI_Comm_free(&among);
}

bool is_complete(const MPI_Request& request) {
    int over = 0;
    return PMPI_Request_get_status(request, &over, MPI_STATUS_IGNORE) != MPI_SUCCESS || over;
}

}  // namespace

bool compares_calls() { return compared_record; }

void begin_comparing(watch_record& record) {
    compared_record = &record;
    compare_calls_of(MPI_COMM_WORLD);
}

void compare_calls_of(MPI_Comm made) {
    int size = 1, two_groups = 0;
    PMPI_Comm_test_inter(made, &two_groups);
    PMPI_Comm_size(made, &size);
    if (!compared_record || two_groups || size == 1) return;
    const MPI_Comm among = private_copy(made);
    const std::lock_guard hold(lock);
    compared[word_of(made)] = {among};
}

void stop_comparing(MPI_Comm comm) {
    Compared ended;
    {
        const std::lock_guard hold(lock);
        const auto found = compared.find(word_of(comm));
        if (found == compared.end()) return;
        ended = found->second;
        compared.erase(found);
    }
    free_private(ended.among);
}

void end_comparing() {
    for (const auto& [handle, one] : compared) free_private(one.among);
    compared.clear();
    compared_record = nullptr;
}

void compare_call(const watch_call& call, int at) {
    const std::uint64_t handle =
        static_cast<std::uint64_t>(call.words[at]) & compared_record->handle_bits;
    last.reset();
    look();
    const MPI_Comm among = private_for_call(handle);
    if (among == MPI_COMM_NULL) return;
    std::optional<watch::CallView> view = compared_call(call, *compared_record, among);
    if (!view) return;
    last = handle;
    const std::uint64_t digest = watch::digest(*view);
    std::list<Comparison> one;
    one.push_back({call, std::move(*view), among, {digest, ~digest}});
    Comparison& c = one.front();
    PMPI_Iallreduce(c.mine, c.most, 2, MPI_UINT64_T, MPI_MAX, among, &c.request);
    if (watch::only_starts(c.view.number)) {
        const std::lock_guard hold(lock);
        under_way.splice(under_way.end(), one);
        return;
    }
    PMPI_Wait(&c.request, MPI_STATUS_IGNORE);
    if (c.differs()) note_difference(c);
}

void call_failed() {
    if (!last) return;
    const std::lock_guard hold(lock);
    if (const auto found = compared.find(*last); found != compared.end()) ++found->second.refused;
}

void compare_before_wait(int n, const MPI_Request* requests, bool all) {
    if (!compared_record || n < 1 || !requests) return;
    const auto over = [&] {
        return all ? std::all_of(requests, requests + n, is_complete)
                   : std::any_of(requests, requests + n, is_complete);
    };
    while (look() > 0 && !over()) sched_yield();
}

}  // namespace hopbine::mpi
