#include "mpi/entry/direct.hpp"

#include "device/runtime.hpp"
#include "mpi/entry/device_memory.hpp"
#include "mpi/execute/device_buffers.hpp"

namespace hopbine::mpi {

namespace {

/// The one space that has all buffers; null: there is none, or data has gaps.
device::Space* space_of_all(const Call& c, const Communicator& state) {
    device::Space* out = nullptr;
    for (const UserBuffer& b : user_buffers(c, state.rank, state.size)) {
        const void* const first = b.first();
        if (!first) continue;
        device::Space* const space = device::Runtime::get().space_of(first);
        if (!space || (out && out != space) || !describe(b.type).plain) return nullptr;
        out = space;
    }
    return out;
}

}  // namespace

Memory* direct_memory(const Call& c, const Communicator& state) {
    if (!settings().direct || c.varies || c.among_neighbors) return nullptr;
    // The MPI library may need a device's context, which hopbine's own thread has not.
    if (settings().progress_thread && state.form() != Form::blocking) return nullptr;
    if (!device::Runtime::get().loaded() || device::Runtime::get().opaque()) return nullptr;
    device::Space* const space = space_of_all(c, state);
    DeviceMemory* const memory = space ? DeviceMemory::of(*space) : nullptr;
    if (!memory || (reduces(c.collective) && !memory->reduces(state.reduction()))) return nullptr;
    return memory->library_takes_it() ? memory : nullptr;
}

}  // namespace hopbine::mpi
