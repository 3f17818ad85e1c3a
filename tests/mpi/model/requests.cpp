#include "requests.hpp"

#include <algorithm>
#include <atomic>
#include <map>

#include "fake_mpi.hpp"
#include "ranks.hpp"

namespace model {

namespace {

constexpr MPI_Request kFirstHandle = 0x6c000000;

struct Table {
    std::map<MPI_Request, std::shared_ptr<Request>> all;
    std::vector<MPI_Request> unused;
    MPI_Request next = kFirstHandle;
};
Table& table() {
    static Table& one = *new Table;
    return one;
}

struct Poll {
    MPIX_Async_poll_function* poll;
    void* state;
    int number;
};
/// The polls of a rank, and whether it progresses.
struct Progress {
    std::mutex lock;
    std::vector<Poll> polls;
    int added = 0;
    std::atomic<bool> running{false};
};
Progress& progress_of(int rank) {
    static Progress all[64];
    return all[rank];
}

thread_local int inside = 0, must_return = 0;

/// Whether a free handle may be given away: MPI uses numbers again.
void drop(MPI_Request handle) {
    table().all.erase(handle);
    table().unused.push_back(handle);
}

}  // namespace

MustReturn::MustReturn() { ++must_return; }
MustReturn::~MustReturn() { --must_return; }
bool must_return_now() { return must_return > 0; }

MPI_Request add_request(std::shared_ptr<Request> request) {
    const std::lock_guard hold(Network::get().lock);
    Table& t = table();
    std::erase_if(t.all, [&](const auto& one) {
        const Request& r = *one.second;
        if (!r.freed || (r.transfer && !r.transfer->complete)) return false;
        t.unused.push_back(one.first);
        return true;
    });
    MPI_Request handle = t.next;
    if (t.unused.empty()) {
        ++t.next;
    } else {
        handle = t.unused.back();
        t.unused.pop_back();
    }
    t.all[handle] = std::move(request);
    return handle;
}

Request& request_of(MPI_Request handle) {
    const auto at = table().all.find(handle);
    if (at == table().all.end()) die("a request that does not exist");
    return *at->second;
}

void free_request(MPI_Request handle) {
    const std::lock_guard hold(Network::get().lock);
    Request& r = request_of(handle);
    if (r.persistent && !r.active)
        drop(handle);
    else
        r.freed = true;
}

int requests_left() {
    const std::lock_guard hold(Network::get().lock);
    return static_cast<int>(
        std::ranges::count_if(table().all, [](const auto& one) { return !one.second->freed; }));
}

bool is_complete(MPI_Request handle) {
    if (handle == MPI_REQUEST_NULL) return true;
    const std::lock_guard hold(Network::get().lock);
    Request& r = request_of(handle);
    if (r.persistent && !r.active) return true;
    return r.collective ? r.collective() : !r.transfer || r.transfer->complete;
}

int finish(MPI_Request* handle, MPI_Status* status) {
    const std::lock_guard hold(Network::get().lock);
    Network::get().note();
    MPI_Status ended{};
    ended.MPI_SOURCE = MPI_ANY_SOURCE;
    ended.MPI_TAG = MPI_ANY_TAG;
    if (*handle != MPI_REQUEST_NULL) {
        Request& r = request_of(*handle);
        if (r.transfer && r.active) {
            ended.MPI_SOURCE = std::get<1>(r.place);
            ended.MPI_TAG = std::get<3>(r.place);
            ended.count_lo = static_cast<int>(r.transfer->got);
            ended.MPI_ERROR = r.transfer->truncated ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
        }
        if (r.persistent) {
            r.active = false;
        } else {
            drop(*handle);
            *handle = MPI_REQUEST_NULL;
        }
    }
    if (status != MPI_STATUS_IGNORE) *status = ended;
    return ended.MPI_ERROR;
}

bool in_progress() { return inside > 0; }

void add_poll(MPIX_Async_poll_function* poll, void* state) {
    Progress& p = progress_of(this_rank());
    const std::lock_guard hold(p.lock);
    p.polls.push_back({poll, state, p.added++});
}

void progress() {
    Progress& p = progress_of(this_rank());
    if (inside || p.running.exchange(true)) return;
    std::vector<Poll> polls;
    {
        const std::lock_guard hold(p.lock);
        polls = p.polls;
    }
    ++inside;
    constexpr int kDone = 1;
    for (const Poll& one : polls)
        if (one.poll(static_cast<MPIX_Async_thing>(one.state)) == kDone) {
            const std::lock_guard hold(p.lock);
            std::erase_if(p.polls, [&](const Poll& other) { return other.number == one.number; });
        }
    --inside;
    p.running = false;
}

void wait_until(const char* what, const std::function<bool()>& done) {
    if (inside) die(std::string(what) + " inside of progress");
    while (!done()) {
        if (must_return)
            die(std::string(what) + " waits in a call that must return although others come later");
        progress();
        if (done()) return;
        let_others_run();
    }
}

}  // namespace model
