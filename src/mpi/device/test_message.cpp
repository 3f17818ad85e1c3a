#include <mpi.h>
#include <unistd.h>

#include <csignal>
#include <vector>

#include "mpi/device/device_memory.hpp"
#include "mpi/execute/messages.hpp"

namespace hopbine::mpi {

namespace {

using Handler = struct sigaction;

/// Says why, if the process crashes meanwhile. It then goes on as it would have: the faulty
/// instruction is run again, with the handlers from before.
class CrashLine {
public:
    CrashLine() {
        Handler here{};
        here.sa_handler = say;
        for (std::size_t i = 0; i < kSignals; ++i) sigaction(signals[i], &here, &before[i]);
    }
    CrashLine(const CrashLine&) = delete;
    CrashLine& operator=(const CrashLine&) = delete;
    ~CrashLine() { restore(); }

private:
    static constexpr std::size_t kSignals = 2;
    static constexpr int signals[kSignals] = {SIGSEGV, SIGBUS};
    static inline Handler before[kSignals];

    static void restore() {
        for (std::size_t i = 0; i < kSignals; ++i) sigaction(signals[i], &before[i], nullptr);
    }
    /// Calls only what a signal handler may.
    static void say(int) {
        constexpr char line[] =
            "hopbine: the MPI library crashed when it was given GPU memory: use --gpu staged\n";
        [[maybe_unused]] const auto written = write(STDERR_FILENO, line, sizeof line - 1);
        restore();
    }
};

/// Memory of a device.
class Allocated {
public:
    Allocated(device::Space& space, std::size_t bytes)
        : space_(space), at_(space.allocate(bytes)) {}
    Allocated(const Allocated&) = delete;
    Allocated& operator=(const Allocated&) = delete;
    ~Allocated() {
        if (at_) space_.free(at_);
    }
    void* at() const { return at_; }

private:
    device::Space& space_;
    void* const at_;
};

/// One message. Empty: it arrived as it was sent.
std::string try_message(device::Space& space, device::Stream stream, int bytes) {
    using device::Direction;
    const auto size = static_cast<std::size_t>(bytes);
    const Allocated from(space, size), to(space, size);
    std::vector<char> sent(size), received(size);
    for (std::size_t i = 0; i < size; ++i) sent[i] = static_cast<char>(i * 31 + i / 251 + 1);
    if (!from.at() || !to.at()) return "was not tried: no GPU memory is left";
    if (!space.copy(from.at(), sent.data(), size, Direction::to_device, stream) ||
        !space.copy(to.at(), received.data(), size, Direction::to_device, stream) ||
        !space.wait(stream))
        return "was not tried: its data could not be copied";
    {
        constexpr int kTag = 0, kItself = 0;
        const CrashLine line;
        if (PMPI_Sendrecv(from.at(), bytes, MPI_BYTE, kItself, kTag, to.at(), bytes, MPI_BYTE,
                          kItself, kTag, self_comm(), MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return "failed";
    }
    if (!space.copy(received.data(), to.at(), size, Direction::to_host, stream) ||
        !space.wait(stream))
        return "could not be copied back";
    return received == sent ? "" : "arrived with other data";
}

}  // namespace

std::string try_messages(device::Space& space, device::Stream stream) {
    constexpr int kShort = 64, kLong = 1 << 20;  // longer than libraries send at once
    for (const int bytes : {kShort, kLong})
        if (const std::string fault = try_message(space, stream, bytes); !fault.empty())
            return "of " + std::to_string(bytes) + " bytes " + fault;
    return "";
}

}  // namespace hopbine::mpi
