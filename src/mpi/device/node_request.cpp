#include "mpi/device/node_request.hpp"

#include <new>
#include <string>
#include <utility>

#include "choice/by_devices.hpp"
#include "device/runtime.hpp"
#include "mpi/device/device_buffers.hpp"
#include "mpi/device/device_use.hpp"
#include "mpi/device/node_group.hpp"
#include "mpi/device/peer_workspaces.hpp"
#include "runtime/log.hpp"
#include "runtime/settings.hpp"
#include "statistics/statistics.hpp"

namespace hopbine::mpi {

namespace {

/// The device of a rank whose buffers are on the host: where those of calls before were. Null: it
/// has had none there.
device::Space* usual_space(Communicator& user) {
    if (OwnWorkspace::get().buffers()) return &OwnWorkspace::get().device().space();
    if (DeviceMemory* const last = last_direct_memory()) return &last->space();
    return user.decider.knowledge().by_devices.space();
}

/// The device that can make this rank's part of the call. Null: there is none, or data has gaps.
DeviceMemory* device_of(const ServedCall& f, Communicator& user) {
    static device::Space* last = nullptr;
    const device::Runtime& runtime = device::Runtime::get();
    device::Space* found = nullptr;
    for (const UserBuffer& b : user_buffers(f.call, f.state.rank, f.state.size)) {
        const void* const first = b.first();
        if (!first) continue;
        if (!describe(b.type).plain) return nullptr;
        if (!runtime.on_device(first)) continue;
        device::Space* const here = runtime.space_of(first);
        if (!here || (found && found != here)) return nullptr;
        found = here;
    }
    if (found) last = found;
    device::Space* const space = last ? last : usual_space(user);
    const std::string kernel = reduces(f.call.collective) ? f.reduction.kernel_name : "copies";
    const bool can = space && space->has_handles() && space->has_kernel((kernel + "_node").c_str());
    return can ? DeviceMemory::of(*space) : nullptr;
}

/// Null: the device has no memory for what is copied to it.
std::unique_ptr<NodeCall> call_on(DeviceMemory& device, const ServedCall& f) {
    try {
        return std::make_unique<NodeCall>(
            f, device,
            device::NodeRank{static_cast<std::uint32_t>(f.state.size),
                             static_cast<std::uint32_t>(f.state.rank)});
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

/// Looks until the stream's kernel has ended, or over(). Asks the driver seldom: that takes a
/// microsecond, and a kernel that is not over by then waits for another rank.
void await(const auto& over, device::Space& space, device::Stream stream, Fiber& fiber) {
    constexpr std::int64_t kLong = 1'000'000;
    for (std::int64_t asked = now(); !over(); fiber.suspend()) {
        if (now() - asked < kLong) continue;
        if (!space.is_busy(stream)) return;
        asked = now();
    }
}

}  // namespace

bool NodeRequest::is_wanted(const Call& c, Communicator& state, bool on_device,
                            std::int64_t bytes) {
    // Arenas are the same on all ranks if these make requests in one order.
    if (!on_device || bytes <= 0 || job().threaded || settings().progress_thread ||
        patience() == 0 || !fits_node(c, state) || state.device_ranks() < state.size)
        return false;
    // Not by --gpu auto: it has not run on a GPU, and nothing measured would end it.
    return settings().peers > 0 && bytes >= settings().peers;
}

std::unique_ptr<NodeRequest> NodeRequest::make(const ServedCall& f, Communicator& user) {
    DeviceMemory* const device = device_of(f, user);
    std::unique_ptr<NodeCall> call = device ? call_on(*device, f) : nullptr;
    RequestArenas::Wish wish{};
    if (call) wish = {device, call->parts().room(), static_cast<std::size_t>(call->bytes_there())};
    RequestArena* const arena = RequestArenas::of(f.state.members()).take(wish, f.state);
    if (!arena) {
        if (call) call->release();
        return nullptr;
    }
    return std::unique_ptr<NodeRequest>(new NodeRequest(std::move(call), *arena));
}

NodeRequest::NodeRequest(std::unique_ptr<NodeCall> call, RequestArena& arena)
    : call_(std::move(call)),
      arena_(arena),
      graph_(arena.device.space().keep_node(call_->parts().kernel.c_str(),
                                            arena.turns.replayed(call_->parts()), call_->in(),
                                            call_->out(), arena.stream)) {
    call_->copy_by(arena.stream);
    RequestArenas::besides() += static_cast<std::size_t>(call_->bytes_there());
}

/// A kernel whose turn is over may not have ended yet.
NodeRequest::~NodeRequest() {
    device::Space& space = arena_.device.space();
    failed_ |= !space.wait(arena_.stream);
    if (graph_) space.drop(graph_);
    RequestArenas::besides() -= static_cast<std::size_t>(call_->bytes_there());
    arena_.in_use = failed_;
}

/// The graph begins a turn. Where its kernel has given up, one that is told its turn goes on.
bool NodeRequest::run_kernel(Fiber& fiber) {
    device::Space& space = arena_.device.space();
    bool is_begun = false;
    return arena_.turns.run(
        call_->parts(),
        [&](const hopbine_node& node) {
            if (graph_ && !std::exchange(is_begun, true))
                return space.replay(graph_, arena_.stream);
            return space.run_node(call_->parts().kernel.c_str(), node, call_->in(), call_->out(),
                                  arena_.stream);
        },
        [&](const auto& over) {
            await(over, space, arena_.stream, fiber);
            return true;
        },
        [] {});
}

int NodeRequest::run(Fiber& fiber) {
    const bool good =
        arena_.device.space().follow_program(arena_.stream) && call_->begin() && run_kernel(fiber);
    const int error = good ? call_->end() : MPI_ERR_OTHER;
    if (error != MPI_SUCCESS) {
        failed_ = true;
        say_rank("a persistent call by the GPUs of a node failed");
    }
    return error;
}

}  // namespace hopbine::mpi
