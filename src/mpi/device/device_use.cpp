#include "mpi/device/device_use.hpp"

#include <algorithm>
#include <atomic>

#include "mpi/device/device_buffers.hpp"
#include "mpi/device/library_answer.hpp"
#include "runtime/mailboxes.hpp"

namespace hopbine::mpi {

namespace {

/// Released with what it points to, for whichever thread asks.
std::atomic<DeviceMemory*> last{nullptr};

/// The one space that has all buffers; null: there is none, data has gaps, or memory is of a kind
/// that MPI libraries need not take: neither hopbine gpu probe nor a test message has tried it, and
/// some hand a rank's memory to the others by handles.
device::Space* space_of_all(const Call& c, const Communicator& state) {
    device::Space* out = nullptr;
    for (const UserBuffer& b : user_buffers(c, state.rank, state.size)) {
        const void* const first = b.first();
        if (!first) continue;
        device::Space* const space = device::Runtime::get().space_of(first);
        if (!space || (out && out != space) || !describe(b.type).plain ||
            !device::Runtime::get().has_handle(first))
            return nullptr;
        out = space;
    }
    return out;
}

/// Bytes of a vector or block from which on `auto` serves a call in the device's memory, where the
/// MPI library takes it: on one H200 under MPS an allreduce of 4 ranks took 72 us directly and 77
/// us staged for 64 KiB, 71 and 555 us for 1 MiB, 81 and 26 us for 8 bytes (benchmarks/gpu.py).
constexpr std::int64_t kDirectFrom = 64 << 10;
static_assert(kDirectFrom > Mailbox::kMostBytes);  // mailboxes are the CPU's

/// Whether a call of so many bytes may be served in the device's memory, where that can be.
bool may_be_direct(std::int64_t bytes) {
    const Gpu gpu = settings().gpu;
    return gpu == Gpu::direct ||
           (gpu == Gpu::automatic && bytes >= kDirectFrom && library_takes() >= Takes::messages);
}

}  // namespace

bool on_device(const Call& c, const Communicator& state) {
    device::Runtime& runtime = device::Runtime::get();
    if (!runtime.loaded() || runtime.opaque()) return false;
    return std::ranges::any_of(user_buffers(c, state.rank, state.size), [&](const UserBuffer& b) {
        const void* const first = b.first();
        return first && runtime.on_device(first);
    });
}

DeviceUse use_of_loaded_device(const Call& c, const Communicator& state) {
    if (device::Runtime::get().opaque()) return DeviceUse::used;
    return !settings().stages() && on_device(c, state) ? DeviceUse::used : DeviceUse::loaded;
}

DeviceMemory* direct_memory(const Call& c, const Communicator& state, std::int64_t bytes) {
    if (c.varies || c.among_neighbors) return nullptr;
    // The MPI library may need a device's context, which hopbine's own thread has not.
    if (settings().progress_thread && state.form() != Form::blocking) return nullptr;
    if (!device::Runtime::get().loaded() || device::Runtime::get().opaque()) return nullptr;
    if (!may_be_direct(bytes)) return nullptr;
    device::Space* const space = space_of_all(c, state);
    DeviceMemory* const memory = space ? DeviceMemory::of(*space) : nullptr;
    if (!memory || (reduces(c.collective) && !memory->reduces(state.reduction().kernel_name)))
        return nullptr;
    if (!memory->library_takes_it()) return nullptr;
    last.store(memory, std::memory_order_release);
    return memory;
}

DeviceMemory* last_direct_memory() { return last.load(std::memory_order_acquire); }

}  // namespace hopbine::mpi
