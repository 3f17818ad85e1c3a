#include "runtime/mailbox_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <string>

namespace hopbine::mpi {

namespace {

/// The name that Linux shows for the memory's file.
const std::string kName = "hopbine-mailboxes";

/// What the memory begins with.
struct alignas(128) Head {
    std::uint64_t seed;
};

std::size_t bytes_for(std::size_t ranks) { return sizeof(Head) + ranks * sizeof(Mailbox); }

/// Maps a file's memory; null: it cannot be mapped.
char* map(int file, std::size_t bytes) {
    void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return at == MAP_FAILED ? nullptr : static_cast<char*>(at);
}

}  // namespace

MailboxMemory::MailboxMemory(int rank, int ranks, std::vector<int> mates)
    : rank_(rank), mates_(std::move(mates)), mailboxes_(ranks) {
    make();
}

bool MailboxMemory::open(int rank, const Offer& theirs) {
    if (mailboxes_.joined(rank)) return true;
    char* const opened = theirs.seed && own_ ? try_to_open(theirs) : nullptr;
    if (opened) mailboxes_.join(rank, box(own_, rank), box(opened, rank_));
    return opened;
}

void MailboxMemory::make() {
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
char* MailboxMemory::try_to_open(const Offer& theirs) const {
    const std::string path =
        "/proc/" + std::to_string(theirs.process) + "/fd/" + std::to_string(theirs.file);
    // The file may be another one where processes are numbered in several ways: do not open it.
    std::string shown(64, '\0');
    const ssize_t length = readlink(path.c_str(), shown.data(), shown.size());
    if (length < 0 || shown.compare(0, 7 + kName.size(), "/memfd:" + kName) != 0) return nullptr;
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
Mailbox* MailboxMemory::box(char* memory, int from) const {
    const auto place = std::ranges::find(mates_, from) - mates_.begin();
    return reinterpret_cast<Mailbox*>(memory + sizeof(Head)) + place;
}

}  // namespace hopbine::mpi
