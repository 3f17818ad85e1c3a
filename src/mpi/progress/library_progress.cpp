#include "mpi/progress/library_progress.hpp"

#include <atomic>

#include "runtime/library_symbol.hpp"
#include "runtime/one_poller.hpp"

namespace hopbine::mpi {

namespace {

using Drive = int (*)(bool* moved);
/// Set where a thread starts a call, read where another one makes progress. Relaxed: it leads to a
/// function alone.
std::atomic<Drive> driven{nullptr};

/// Moves on what is under way. Returns how many calls are left.
int move_on(bool* moved) {
    const Drive drive = driven.load(std::memory_order_relaxed);
    return drive ? drive(moved) : 0;
}

MPI_Comm probed = MPI_COMM_NULL;
int largest_tag = 0;

}  // namespace

void set_probed(MPI_Comm comm) {
    int *largest = nullptr, known = 0;
    PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &largest, &known);
    largest_tag = known ? *largest : 0;
    probed = comm;
}

void make_progress() {
    int arrived = 0;
    PMPI_Iprobe(MPI_ANY_SOURCE, largest_tag, probed, &arrived, MPI_STATUS_IGNORE);
}

#ifdef OPEN_MPI

namespace {

using Register = int (*)(int (*callback)());
using SetYields = bool (*)(bool);
template <class Function>
Function opal(const char* name) {
    return library_symbol<Function>(name, {"libopen-pal.so.80", "libopen-pal.so.40"});
}

/// Sets whether the library yields where nothing moves. Returns whether it did.
bool set_yields(bool yields) {
    static const auto set = opal<SetYields>("opal_progress_set_yield_when_idle");
    return set && set(yields);
}

/// Returns the number of events, as opal_progress asks.
int progress() {
    bool moved = false;
    move_on(&moved);
    return moved;
}

}  // namespace

bool library_progresses() {
    static const bool found =
        opal<Register>("opal_progress_register") && opal<Register>("opal_progress_unregister");
    return found;
}

void begin_library_progress(int (*drive)(bool* moved)) {
    if (driven || !library_progresses()) return;
    driven = drive;
    opal<Register>("opal_progress_register")(progress);
}

void end_library_progress() {
    if (driven) opal<Register>("opal_progress_unregister")(progress);
    driven = nullptr;
}

bool may_be_complete(MPI_Request) { return true; }
bool tests_progress() { return true; }

int test_some(int n, MPI_Request* requests, int* over, int* which, MPI_Status* statuses) {
    return PMPI_Testsome(n, requests, over, which, statuses);
}

#else

namespace {

// Declared here: MPICH before 4.3 has neither, and its header not either.
using Poll = int (*)(void* thing);
using Start = int (*)(Poll poll, void* state, int stream);
using IsComplete = int (*)(MPI_Request request);
constexpr int kNullStream = 0x3c000000, kNoProgress = 0, kDone = 1;

/// MPICH does not yield in MPI_Test.
bool set_yields(bool) { return false; }

const Start async_start = library_symbol<Start>("PMPIX_Async_start");
const IsComplete is_complete = library_symbol<IsComplete>("PMPIX_Request_is_complete");
OnePoller poller;

int poll(void*) {
    bool moved = false;
    if (move_on(&moved) > 0) return kNoProgress;
    return poller.ends([&] { return move_on(&moved) > 0; }) ? kDone : kNoProgress;
}

}  // namespace

bool library_progresses() { return async_start && is_complete; }

void begin_library_progress(int (*drive)(bool* moved)) {
    if (!library_progresses()) return;
    driven.store(drive, std::memory_order_relaxed);
    if (poller.begin()) async_start(poll, nullptr, kNullStream);
}

void end_library_progress() { driven = nullptr; }

bool may_be_complete(MPI_Request request) { return !library_progresses() || is_complete(request); }
bool tests_progress() { return !library_progresses(); }

int test_some(int n, MPI_Request* requests, int* over, int* which, MPI_Status* statuses) {
    if (!library_progresses()) return PMPI_Testsome(n, requests, over, which, statuses);
    int error = MPI_SUCCESS;
    *over = 0;
    for (int i = 0; i < n; ++i) {
        int complete = 0;
        if (requests[i] == MPI_REQUEST_NULL || !is_complete(requests[i])) continue;
        const int e = PMPI_Test(&requests[i], &complete, &statuses[*over]);
        statuses[*over].MPI_ERROR = e;
        if (e != MPI_SUCCESS) error = MPI_ERR_IN_STATUS;
        which[(*over)++] = i;
    }
    return error;
}

#endif

Unyielding::Unyielding() : yielded_(set_yields(false)) {}
Unyielding::~Unyielding() {
    if (yielded_) set_yields(true);
}

}  // namespace hopbine::mpi
