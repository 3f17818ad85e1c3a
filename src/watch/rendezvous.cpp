#include "watch/rendezvous.hpp"

#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "schedule/hash.hpp"
#include "schedule/problem.hpp"
#include "watch/descriptor.hpp"
#include "watch/socket.hpp"
#include "watch/start.hpp"
#include "watch/text.hpp"

namespace hopbine::watch {

namespace {

using std::chrono::microseconds;

/// How long another rank may take to listen, and to start the watcher, on a busy node.
constexpr auto kPatience = std::chrono::seconds(10);
/// Between two looks at whether it does: it has the name, and listens a microsecond later.
constexpr microseconds kShortestNap(1), kLongestNap(1000);

[[noreturn]] void fail(const std::string& what) { throw Error(what + ": " + std::strerror(errno)); }

/// Starts a watcher if nobody listens there yet. Returns false where another rank is about to.
bool start_if_first(const Address& address, const std::string& folder, double apart) {
    const Descriptor listening(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    if (listening.get() < 0) fail("socket");
    if (::bind(listening.get(), address.get(), address.size()) != 0) {
        if (errno == EADDRINUSE) return false;
        fail("bind");
    }
    if (::listen(listening.get(), 4096) != 0) fail("listen");
    start_watcher(folder + "/" + kWatcher, listening.get(), apart);
    return true;
}

Descriptor connect(const Address& address, const std::string& folder, double apart) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    for (auto nap = kShortestNap;; nap = std::min(2 * nap, kLongestNap)) {
        Descriptor out(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
        if (out.get() < 0) fail("socket");
        if (::connect(out.get(), address.get(), address.size()) == 0) return out;
        if (errno != ECONNREFUSED) fail("connect");
        if (start_if_first(address, folder, apart)) continue;
        if (std::chrono::steady_clock::now() > end) fail("no watcher listens");
        std::this_thread::sleep_for(nap);
    }
}

/// Memory of `bytes` zeros in a file without a name.
Descriptor make_file(std::size_t bytes) {
    rlimit most{};  // a file above this limit would end the program with SIGXFSZ
    if (::getrlimit(RLIMIT_FSIZE, &most) != 0 || most.rlim_cur < bytes)
        throw Error("the limit of a file's size (ulimit -f) is below that of a record");
    Descriptor out(::memfd_create("hopbine-watch", MFD_CLOEXEC));
    if (out.get() < 0) fail("memfd_create");
    if (::fchmod(out.get(), 0600) != 0) fail("fchmod");
    if (::ftruncate(out.get(), static_cast<off_t>(bytes)) != 0) fail("ftruncate");
    return out;
}

watch_record* map(int file) {
    void* const at =
        ::mmap(nullptr, sizeof(watch_record), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (at == MAP_FAILED) fail("mmap");
    ::madvise(at, sizeof(watch_record), MADV_DONTFORK);  // a forked child is no rank
    return static_cast<watch_record*>(at);
}

}  // namespace

Secret draw_secret() {
    Secret out;
    if (::getrandom(&out, sizeof out, 0) != sizeof out) fail("getrandom");
    return out;
}

watch_record* join(const Hello& hello, const std::string& node, const std::string& folder,
                   int server) {
    const Address address(socket_name(hello.secret.job, node));
    const double apart = seconds_between_looks(hello.limit, hello.checks);
    const Descriptor watcher = connect(address, folder, takes_idle_time(apart) ? apart : 0),
                     file = make_file(sizeof(watch_record));
    if (user_of(watcher.get()).uid != ::geteuid())
        throw Error("another user's process listens for the ranks of this job");
    watch_record* const record = map(file.get());
    set_text(record->node, node);
    send_hello(watcher.get(), hello, file.get(), server);
    return record;
}

}  // namespace hopbine::watch
