#include "mpi/device/node_group.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "device/runtime.hpp"
#include "mpi/device/device_buffers.hpp"
#include "mpi/device/device_mirror.hpp"
#include "mpi/device/node_call.hpp"
#include "mpi/device/peer_workspaces.hpp"
#include "runtime/log.hpp"
#include "runtime/mirror.hpp"

namespace hopbine::mpi {

namespace {

/// Looks at a flag until a kernel gives up: some 20 ms at 1 us for a look, which a device that is
/// shared gives to others then, and the host to the MPI library.
constexpr std::uint32_t kPatience = 20'000;

/// A number that tests set otherwise, on all ranks.
std::size_t test_setting(const char* name, std::size_t usual) {
    const char* const asked = std::getenv(name);
    return asked ? static_cast<std::size_t>(std::atoll(asked)) : usual;
}

/// 0: there are no groups, so that plans serve what they would.
std::uint32_t patience() {
    return static_cast<std::uint32_t>(test_setting("HOPBINE_TEST_PATIENCE", kPatience));
}

/// What this process's group tells of turns that are over, a number for each block: one group has
/// it, the others were not used. Null: there is no such memory.
std::uint32_t* turns_over(DeviceMemory& device) {
    constexpr std::size_t kBytes = HOPBINE_NODE_BLOCKS * sizeof(std::uint32_t);
    static auto* const turns = static_cast<std::uint32_t*>(device.space().allocate_host(kBytes));
    return turns;
}

/// Looks at what the kernels tell until they are over. On one H200 a kernel's end is seen 2.5 us
/// sooner than by waiting for the stream. False: it takes long, and that matters no more.
bool wait_for(const auto& over) {
    constexpr std::int64_t kLong = 1'000'000;
    for (const std::int64_t began = now(); now() - began < kLong; sched_yield())
        if (over()) return true;
    return false;
}

/// Lets the MPI library work on what other calls of this rank have left under way: a rank that is
/// awaited may need it.
void progress_library() {
    int flag = 0;
    PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, self_comm(), &flag, MPI_STATUS_IGNORE);
}

/// The arenas of all ranks, as this rank's device sees them.
std::vector<char*> arenas_of(const Communicator& state, const std::vector<const char*>& opened) {
    std::vector<char*> out;
    for (int r = 0; r < state.size; ++r) {
        const char* const messages =
            r == state.rank ? OwnWorkspace::get().begin() : opened[static_cast<std::size_t>(r)];
        out.push_back(const_cast<char*>(messages) - OwnWorkspace::kArena);
    }
    return out;
}

}  // namespace

bool NodeGroup::asked_for(const Call& c, const Communicator& state, std::int64_t bytes) {
    return settings().peers > 0 && bytes >= settings().peers && fits_node(c, state);
}

bool NodeGroup::uses(const Call& c, const Communicator& state) const {
    const device::Runtime& runtime = device::Runtime::get();
    return std::ranges::all_of(user_buffers(c, state.rank, state.size), [&](const UserBuffer& b) {
        const void* const first = b.first();
        return !first || !runtime.on_device(first) ||
               (describe(b.type).plain && runtime.space_of(first) == &device_.space());
    });
}

/// One wait on the host, for all kernels of the call.
bool NodeGroup::run_kernels(const NodeCall& call) {
    const char* const kernel = call.parts().kernel.c_str();
    return turns_.run(
        call.parts(),
        [&](const hopbine_node& node) {
            return device_.space().run_node(kernel, node, call.in(), call.out(), device_.stream());
        },
        [&](const auto& over) { return wait_for(over) || device_.wait(); }, progress_library);
}

/// The call's buffers are on the device that has the arena, or on the host.
int NodeGroup::run_here(const ServedCall& f) {
    if (f.call.mirror) f.call.mirror->wait_for_all();
    NodeCall call(f, device_);
    bool good = call.begin();
    good = run_kernels(call) && good;
    const int error = call.end();
    if (good && error == MPI_SUCCESS) return MPI_SUCCESS;
    say_rank(std::string("a ") + name(f.call.collective) + " by the GPUs of a node failed");
    return good ? error : MPI_ERR_OTHER;
}

int NodeGroup::run(const ServedCall& f) {
    if (!f.call.device || f.call.device == &device_) return run_here(f);
    DeviceMirror mirror(f.call, f.state.rank, f.state.size);
    return mirror.finish(run_here({mirror.arrived_call(), f.state, f.plan, f.send, f.recv,
                                   f.reduction, f.endpoint, f.workspace, f.nonuniform}));
}

std::shared_ptr<NodeGroup> node_group_of(Communicator& state,
                                         const std::vector<const char*>& opened) {
    std::shared_ptr<NodeGroup>& group = state.decider.knowledge().by_devices.group;
    if (group) return group;
    static bool taken = false;  // the arena of this process
    PeerWorkspace* const own = OwnWorkspace::get().buffers();
    const auto has_kernels = [] {
        return OwnWorkspace::get().device().space().has_kernel("sum_f32_node");
    };
    std::uint32_t* over = nullptr;
    if (!opened.empty() && own && !taken && patience() > 0 && state.size <= HOPBINE_NODE_RANKS &&
        has_kernels())
        over = turns_over(OwnWorkspace::get().device());
    int can = over != nullptr, all_can = 0;
    PMPI_Allreduce(&can, &all_can, 1, MPI_INT, MPI_MIN, state.user());
    if (!all_can) return nullptr;
    taken = true;
    constexpr std::size_t kRoom = (OwnWorkspace::kArena - HOPBINE_ARENA_BEGIN) / 3;
    return group = std::make_shared<NodeGroup>(
               OwnWorkspace::get().device(),
               device::NodeTurns(arenas_of(state, opened), static_cast<std::uint32_t>(state.rank),
                                 std::min(kRoom, test_setting("HOPBINE_TEST_ROOM", kRoom)),
                                 patience(), over));
}

}  // namespace hopbine::mpi
