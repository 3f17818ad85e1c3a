#include "mpi/state/shared_mailboxes.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <new>
#include <string>

#include "mpi/execute/messages.hpp"
#include "mpi/state/communicator.hpp"
#include "mpi/state/world.hpp"

namespace hopbine::mpi {

namespace {

/// The name that Linux shows for the memory's file.
const std::string kName = "hopbine-mailboxes";

/// Where another process finds the memory of this one.
struct Offer {
    std::int64_t process = 0, file = -1;
    std::uint64_t seed = 0;  ///< that it begins with; 0: there is none
};

/// What the memory begins with.
struct alignas(128) Head {
    std::uint64_t seed;
};

/// The ranks in MPI_COMM_WORLD on this process's node. A process has a mailbox for each, in this
/// order.
std::vector<int> ranks_on_node() {
    const World& world = World::get();
    int rank = 0;
    PMPI_Comm_rank(world.comm(), &rank);
    const auto node_of = [&](int r) { return world.ranks()[static_cast<std::size_t>(r)].node; };
    std::vector<int> out;
    for (int r = 0; r < static_cast<int>(world.ranks().size()); ++r)
        if (node_of(r) == node_of(rank)) out.push_back(r);
    return out;
}

std::size_t bytes_for(std::size_t ranks) { return sizeof(Head) + ranks * sizeof(Mailbox); }

/// Maps a file's memory; null: it cannot be mapped.
char* map(int file, std::size_t bytes) {
    void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return at == MAP_FAILED ? nullptr : static_cast<char*>(at);
}

/// This process's memory, and that of others. Made once, and never freed: others have it open.
class SharedMailboxes {
public:
    static SharedMailboxes& get() {
        static SharedMailboxes& one = *new SharedMailboxes;
        return one;
    }
    Mailboxes& mailboxes() { return mailboxes_; }
    const Offer& offer() const { return offer_; }
    /// Whether messages can be exchanged with a process, as far as this one knows.
    bool open(int rank, const Offer& theirs) {
        if (mailboxes_.joined(rank)) return true;
        char* const opened = theirs.seed && own_ ? try_to_open(theirs) : nullptr;
        if (opened) mailboxes_.join(rank, box(own_, rank), box(opened, rank_));
        return opened;
    }

private:
    SharedMailboxes() : mates_(ranks_on_node()), mailboxes_(static_cast<int>(size())) {
        PMPI_Comm_rank(World::get().comm(), &rank_);
        make();
    }
    static std::size_t size() { return World::get().ranks().size(); }

    void make() {
        std::uint64_t seed = 0;
        if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != sizeof seed || seed == 0) return;
        const std::size_t bytes = bytes_for(mates_.size());
        // A file above this limit would end the program with SIGXFSZ.
        rlimit most{};
        if (getrlimit(RLIMIT_FSIZE, &most) != 0 || most.rlim_cur < bytes) return;
        const int file = memfd_create(kName.c_str(), MFD_CLOEXEC);
        if (file < 0) return;
        own_ = ftruncate(file, static_cast<off_t>(bytes)) == 0 ? map(file, bytes) : nullptr;
        if (!own_) {
            close(file);
            return;
        }
        new (own_) Head{seed};
        offer_ = {getpid(), file, seed};
    }

    /// Another process's memory; null: it cannot be opened here, or is not that.
    char* try_to_open(const Offer& theirs) const {
        const std::string path =
            "/proc/" + std::to_string(theirs.process) + "/fd/" + std::to_string(theirs.file);
        // The file may be another one where processes are numbered in several ways: do not open it.
        std::string shown(64, '\0');
        const ssize_t length = readlink(path.c_str(), shown.data(), shown.size());
        if (length < 0 || shown.compare(0, 7 + kName.size(), "/memfd:" + kName) != 0)
            return nullptr;
        const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
        if (file < 0) return nullptr;
        struct stat found{};
        const std::size_t bytes = bytes_for(mates_.size());
        char* const at = fstat(file, &found) == 0 && found.st_size == static_cast<off_t>(bytes)
                             ? map(file, bytes)
                             : nullptr;
        close(file);
        if (at && reinterpret_cast<const Head*>(at)->seed == theirs.seed) return at;
        if (at) munmap(at, bytes);
        return nullptr;
    }

    /// The mailbox in a process's memory for what `from` sends to it.
    Mailbox* box(char* memory, int from) const {
        const auto place = std::ranges::find(mates_, from) - mates_.begin();
        return reinterpret_cast<Mailbox*>(memory + sizeof(Head)) + place;
    }

    int rank_ = 0;
    std::vector<int> mates_;
    char* own_ = nullptr;
    Offer offer_;
    Mailboxes mailboxes_;
};

/// Opens the memory of every other rank. Returns whether all could be opened; an MPI error is an
/// answer too.
bool open_all(const Communicator& state, const Endpoint& at) {
    SharedMailboxes& shared = SharedMailboxes::get();
    const int p = state.size;
    bool all = true;
    for (int distance = 1; distance < p; ++distance) {
        const int to = (state.rank + distance) % p, from = (state.rank - distance + p) % p;
        Offer theirs;
        const int e = exchange({&shared.offer(), sizeof(Offer), to}, {&theirs, sizeof theirs, from},
                               MPI_BYTE, kDataChannel, at);
        all &= e == MPI_SUCCESS && shared.open(at.rank(from), theirs);
    }
    return all;
}

}  // namespace

Mailboxes* agree_on_mailboxes(const Communicator& state, const Endpoint& at) {
    if (!state.shares_memory()) return nullptr;
    std::array<std::int64_t, 1> failed{!open_all(state, at)};
    const int e = most_of_all(failed, state.rank, state.size, kDataChannel, at);
    return e == MPI_SUCCESS && failed[0] == 0 ? &SharedMailboxes::get().mailboxes() : nullptr;
}

}  // namespace hopbine::mpi
