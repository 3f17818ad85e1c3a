/// Memory that devices of a node copy messages from: this process's, and that of others.
#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

#include "device/space.hpp"
#include "mpi/device/device_memory.hpp"
#include "mpi/execute/call.hpp"
#include "mpi/state/communicator.hpp"
#include "runtime/peers.hpp"

namespace hopbine::mpi {

/// How another process opens a workspace.
struct WorkspaceOffer {
    device::Handle handle;
    std::uint64_t seed;      ///< of the pattern that it begins with
    std::uint64_t is_there;  ///< 0: there is none
};

/// Bytes at the beginning of memory that is offered, which say whose it is; then comes an arena.
inline constexpr std::size_t kPattern = 4096;

/// Offers memory of a device to other processes: writes its beginning, and that of an arena. Never
/// to be freed once it is offered. `rank`: of this process, in MPI_COMM_WORLD. False: it cannot be.
bool offer_memory(DeviceMemory& device, void* memory, int rank, WorkspaceOffer* out);

/// Opens memory that another process offers, and looks whether it is that. Null: it is not, which
/// *why tells.
char* open_offered(DeviceMemory& device, const WorkspaceOffer& offer, const char** why);

/// This process's workspace. It is made once, and never freed: others have it open.
class OwnWorkspace {
public:
    static OwnWorkspace& get();
    /// Makes it where `device` has a rank's buffers, unless that was tried before. `rank`: of this
    /// process.
    void make(DeviceMemory& device, int rank);
    /// Null: there is none so far. The others are to be asked only where there is one.
    PeerWorkspace* buffers() const { return buffers_.load(std::memory_order_acquire); }
    DeviceMemory& device() const { return *device_; }
    const WorkspaceOffer& offer() const { return offer_; }
    /// Where its messages begin; kArena bytes before that are a NodeGroup's.
    const char* begin() const { return begin_; }
    static constexpr std::size_t kArena = HOPBINE_ARENA_BEGIN + 3 * (std::size_t{16} << 20);

private:
    std::string try_to_make(DeviceMemory& device, int rank);
    std::mutex lock_;
    bool tried_ = false;
    DeviceMemory* device_ = nullptr;
    WorkspaceOffer offer_{};
    char* begin_ = nullptr;
    /// Released last, and acquired before the others are asked.
    std::atomic<PeerWorkspace*> buffers_{nullptr};
};

/// Where messages begin in another process's workspace, as this process's device sees it; null: it
/// cannot be read. Opened once. `rank`: of that process, in MPI_COMM_WORLD.
const char* open_workspace(int rank, const WorkspaceOffer& offer);

/// Agrees on the pairs of a communicator, where HOPBINE_GPU_PEERS asks for them: both ranks are on
/// one node, have a device and have read what the other has written in its memory. Collective,
/// inside of the user's own blocking call. Ranks without a device may have one by the next time.
void agree_on_peers(const Call& c, Communicator& state);

}  // namespace hopbine::mpi
