#include "mpi/device/device_use.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "mpi/device/device_buffers.hpp"
#include "mpi/device/library_answer.hpp"
#include "runtime/mailboxes.hpp"
#include "select/size_class.hpp"

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

/// Whether a call of so many bytes may be served in the device's memory, where that can be. What
/// fits mailboxes is the CPU's.
bool may_be_direct(std::int64_t bytes) {
    const Gpu gpu = settings().gpu;
    return gpu == Gpu::direct || (gpu == Gpu::automatic && bytes > Mailbox::kMostBytes &&
                                  library_takes() >= Takes::messages);
}

/// The choice of this process, and what guards it.
struct SharedChoice {
    std::mutex lock;
    select::PlaceChoice choice{settings().budget};
};
SharedChoice& shared_choice() {
    static auto& one = *new SharedChoice;
    return one;
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

/// The memory that has all of this rank's buffers, if the call can be run there; else null.
static DeviceMemory* able_memory(const Call& c, const Communicator& state, std::int64_t bytes) {
    if (c.varies || c.among_neighbors) return nullptr;
    // The MPI library may need a device's context, which hopbine's own thread has not.
    if (settings().progress_thread && state.form() != Form::blocking) return nullptr;
    if (!device::Runtime::get().loaded() || device::Runtime::get().opaque()) return nullptr;
    if (!may_be_direct(bytes)) return nullptr;
    device::Space* const space = space_of_all(c, state);
    DeviceMemory* const memory = space ? DeviceMemory::of(*space) : nullptr;
    if (!memory || (reduces(c.collective) && !memory->reduces(state.reduction().kernel_name)))
        return nullptr;
    return memory->library_takes_it() ? memory : nullptr;
}

PlaceOfCall place_of(const Call& c, const Communicator& state, std::int64_t bytes) {
    PlaceOfCall out{able_memory(c, state, bytes)};
    if (!out.direct) return out;
    if (settings().gpu == Gpu::automatic) {
        SharedChoice& shared = shared_choice();
        const std::lock_guard hold(shared.lock);
        out.key = {c.collective, state.size, select::size_class(bytes)};
        if (shared.choice.place(*out.key) == select::Place::staged) out.direct = nullptr;
    }
    if (out.direct) last.store(out.direct, std::memory_order_release);
    return out;
}

DeviceMemory* direct_memory(const Call& c, const Communicator& state, std::int64_t bytes) {
    return place_of(c, state, bytes).direct;
}

void served_at(const PlaceOfCall& place, double seconds) {
    if (!place.key) return;
    SharedChoice& shared = shared_choice();
    const std::lock_guard hold(shared.lock);
    shared.choice.took(*place.key, place.direct ? select::Place::direct : select::Place::staged,
                       seconds);
}

DeviceMemory* last_direct_memory() { return last.load(std::memory_order_acquire); }

}  // namespace hopbine::mpi
