#include "mpi/device/peer_workspaces.hpp"

#include <unistd.h>

#include <map>
#include <utility>

#include "runtime/log.hpp"

namespace hopbine::mpi {

namespace {

using device::Direction;

/// What a line is about: the setting that asks for peers, or what the choice tries.
std::string what() {
    return settings().peers > 0 ? "--gpu-peers (HOPBINE_GPU_PEERS): " : "GPUs of a node: ";
}

constexpr std::size_t kBegin = kPattern + OwnWorkspace::kArena;
constexpr std::size_t kBytes = kBegin + (32 << 20);

std::vector<char> pattern(std::uint64_t seed) {
    std::vector<char> out(kPattern);
    for (char& c : out) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        c = static_cast<char>(seed >> 56);
    }
    return out;
}

bool copy_and_wait(DeviceMemory& device, void* to, const void* from, Direction direction) {
    return device.space().copy(to, from, kPattern, direction, device.stream()) && device.wait();
}

/// Memory of another process, opened.
class Opened {
public:
    const char* open(int rank, const WorkspaceOffer& offer, DeviceMemory& device) {
        const std::lock_guard hold(lock_);
        const auto [at, is_new] = all_.try_emplace(rank);
        if (is_new) at->second = try_to_open(rank, offer, device);
        return at->second;
    }

private:
    const char* try_to_open(int rank, const WorkspaceOffer& offer, DeviceMemory& device) {
        const char* why = nullptr;
        const char* const opened = open_offered(device, offer, &why);
        return opened ? opened + kBegin : failed(rank, why);
    }
    /// One line of a process: the cause is mostly the same for all.
    const char* failed(int rank, const std::string& why) {
        if (!std::exchange(told_, true))
            say_rank(what() + "the GPU memory of rank " + std::to_string(rank) + " " + why);
        return nullptr;
    }
    std::mutex lock_;
    std::map<int, const char*> all_;
    bool told_ = false;
};

}  // namespace

bool offer_memory(DeviceMemory& device, void* memory, int rank, WorkspaceOffer* out) {
    static std::atomic<std::uint64_t> number{0};
    static_assert(HOPBINE_ARENA_BEGIN == kPattern && sizeof(hopbine_arena) <= kPattern);
    out->seed = (static_cast<std::uint64_t>(rank) << 32 | static_cast<std::uint32_t>(getpid())) +
                (number.fetch_add(1, std::memory_order_relaxed) << 56);
    const std::vector<char> begin = pattern(out->seed), zeros(HOPBINE_ARENA_BEGIN);
    out->is_there = device.space().make_handle(memory, &out->handle) &&
                    copy_and_wait(device, memory, begin.data(), Direction::to_device) &&
                    copy_and_wait(device, static_cast<char*>(memory) + kPattern, zeros.data(),
                                  Direction::to_device);
    return out->is_there;
}

char* open_offered(DeviceMemory& device, const WorkspaceOffer& offer, const char** why) {
    void* const opened = device.space().open(offer.handle);
    *why = "cannot be opened here";
    if (!opened) return nullptr;
    std::vector<char> read(kPattern);
    if (copy_and_wait(device, read.data(), opened, Direction::to_host) &&
        read == pattern(offer.seed))
        return static_cast<char*>(opened);
    *why = "has other data here";
    device.space().close(opened);
    return nullptr;
}

OwnWorkspace& OwnWorkspace::get() {
    static OwnWorkspace& one = *new OwnWorkspace;
    return one;
}

void OwnWorkspace::make(DeviceMemory& device, int rank) {
    const std::lock_guard hold(lock_);
    if (tried_) return;
    tried_ = true;
    if (!device.space().has_handles())
        return say_once(what() + "the GPU's driver has no handles of memory");
    if (const std::string fault = try_to_make(device, rank); !fault.empty())
        say_rank(what() + fault);
}

/// Returns why there is none.
std::string OwnWorkspace::try_to_make(DeviceMemory& device, int rank) {
    device::Space& space = device.space();
    void* const memory = space.allocate(kBytes);
    if (!memory) return "no GPU memory is left";
    if (!offer_memory(device, memory, rank, &offer_)) {
        space.free(memory);
        return "the GPU's memory cannot be given to other processes";
    }
    device_ = &device;
    begin_ = static_cast<char*>(memory) + kBegin;
    buffers_.store(new PeerWorkspace(device, begin_, static_cast<std::int64_t>(kBytes - kBegin)),
                   std::memory_order_release);
    return "";
}

const char* open_workspace(int rank, const WorkspaceOffer& offer) {
    static Opened& all = *new Opened;
    return all.open(rank, offer, OwnWorkspace::get().device());
}

}  // namespace hopbine::mpi
