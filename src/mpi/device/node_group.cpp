#include "mpi/device/node_group.hpp"

#include <cstdlib>
#include <string>
#include <vector>

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

/// For tests: another number; 0: there are no groups, so that plans serve what they would.
std::uint32_t patience() {
    const char* const asked = std::getenv("HOPBINE_TEST_PATIENCE");
    return asked ? static_cast<std::uint32_t>(std::atoi(asked)) : kPatience;
}

/// What this process's group tells of turns that are over, a number for each block: one group has
/// it, the others were not used. Null: there is no such memory.
std::uint32_t* turns_over(DeviceMemory& device) {
    constexpr std::size_t kBytes = HOPBINE_NODE_BLOCKS * sizeof(std::uint32_t);
    static auto* const turns = static_cast<std::uint32_t*>(device.space().allocate_host(kBytes));
    return turns;
}

/// Lets the MPI library work on what other calls of this rank have left under way: a rank that is
/// awaited may need it.
void progress_library() {
    int flag = 0;
    PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, self_comm(), &flag, MPI_STATUS_IGNORE);
}

/// The arenas of all ranks, as this rank's device sees them.
std::vector<char*> arenas_of(const Communicator& state) {
    std::vector<char*> out;
    for (int r = 0; r < state.size; ++r) {
        const char* const messages = r == state.rank
                                         ? OwnWorkspace::get().begin()
                                         : state.peers()->opened[static_cast<std::size_t>(r)];
        out.push_back(const_cast<char*>(messages) - OwnWorkspace::kArena);
    }
    return out;
}

}  // namespace

bool NodeGroup::serves(const Call& c, const Communicator& state, std::int64_t bytes) const {
    return bytes >= settings().peers && bytes > 0 && fits_node(c, state);
}

/// One wait on the host, for all kernels of the call.
bool NodeGroup::run_kernels(const NodeCall& call) {
    const char* const kernel = call.parts().kernel.c_str();
    return turns_.run(
        call.parts(),
        [&](const hopbine_node& node) {
            return device_.space().run_node(kernel, node, call.in(), call.out(), device_.stream());
        },
        [&] { return device_.wait(); }, progress_library);
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

void agree_on_node_group(Communicator& state, bool all) {
    static bool taken = false;  // the arena of this process is one communicator's
    PeerWorkspace* const own = OwnWorkspace::get().buffers();
    const auto has_kernels = [] {
        return OwnWorkspace::get().device().space().has_kernel("sum_f32_node");
    };
    std::uint32_t* over = nullptr;
    if (all && own && !taken && patience() > 0 && state.size <= HOPBINE_NODE_RANKS && has_kernels())
        over = turns_over(OwnWorkspace::get().device());
    int can = over != nullptr, all_can = 0;
    PMPI_Allreduce(&can, &all_can, 1, MPI_INT, MPI_MIN, state.user());
    if (!all_can) return;
    taken = true;
    constexpr std::size_t kRoom = (OwnWorkspace::kArena - HOPBINE_ARENA_BEGIN) / 3;
    state.node_group = std::make_shared<NodeGroup>(
        OwnWorkspace::get().device(),
        device::NodeTurns(arenas_of(state), static_cast<std::uint32_t>(state.rank), kRoom,
                          patience(), over));
}

}  // namespace hopbine::mpi
