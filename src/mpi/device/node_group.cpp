#include "mpi/device/node_group.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <vector>

#include "choice/job.hpp"
#include "device/runtime.hpp"
#include "mpi/device/device_buffers.hpp"
#include "mpi/device/device_mirror.hpp"
#include "mpi/device/device_use.hpp"
#include "mpi/device/node_call.hpp"
#include "mpi/device/peer_workspaces.hpp"
#include "runtime/log.hpp"
#include "runtime/mirror.hpp"

namespace hopbine::mpi {

namespace {

static_assert(ByDevices::kMostRanks == HOPBINE_NODE_RANKS);

/// Looks at a flag until a kernel gives up: some 20 ms at 1 us for a look, which a device that is
/// shared gives to others then, and the host to the MPI library.
constexpr std::uint32_t kPatience = 20'000;

/// What this process's group tells of turns that are over: one group has it, the others were not
/// used.
std::uint32_t* group_over(DeviceMemory& device) {
    static auto* const turns = turns_over(device);
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

/// The first of these codes that is one of an error.
int first_error(std::initializer_list<int> codes) {
    const auto* const found = std::ranges::find_if(codes, [](int c) { return c != MPI_SUCCESS; });
    return found == codes.end() ? MPI_SUCCESS : *found;
}

/// The arenas of the ranks of this one's node, as its device sees them; empty: some are not opened.
std::vector<char*> arenas_of(Communicator& state, const Peers* pairs) {
    std::vector<char*> out;
    for (const int r : state.of_node()) {
        const char* const messages = r == state.rank ? OwnWorkspace::get().begin()
                                     : pairs         ? pairs->opened[static_cast<std::size_t>(r)]
                                                     : nullptr;
        if (!messages) return {};
        out.push_back(const_cast<char*>(messages) - OwnWorkspace::kArena);
    }
    return out;
}

/// Adds up a part of n elements that the ranks of this one's place on all nodes have, as they would
/// in a call of their own on buffers in GPU memory.
int add_between(const ServedCall& of, char* part, std::int64_t n) {
    if (n == 0) return MPI_SUCCESS;
    Communicator& state = *of.state.between_nodes;
    Call call = of.call;
    call.send = MPI_IN_PLACE;
    call.recv = part;
    call.recv_count = n;
    call.mirror = nullptr;
    const std::int64_t began = now(), bytes = n * of.reduction.type.size;
    const Reduction& reduction = state.find_reduction(call.op, of.reduction.type);
    const Plan& plan = state.decider.plan_within(call.collective, bytes, reduction.operands());
    const PlaceOfCall place = place_of(call, state, bytes);
    call.device = place.direct;
    const ServedCall f{call,
                       state,
                       plan,
                       of.send,
                       of.recv,
                       reduction,
                       state.endpoint(),
                       state.workspace,
                       state.nonuniform};
    const int error = place.direct ? mpi::run(f) : run_mirrored(f);
    served_at(place, seconds_since(began));
    state.workspace.trim();
    return error;
}

}  // namespace

std::size_t test_setting(const char* name, std::size_t usual) {
    const char* const asked = std::getenv(name);
    return asked ? static_cast<std::size_t>(std::atoll(asked)) : usual;
}

std::uint32_t patience() {
    return static_cast<std::uint32_t>(test_setting("HOPBINE_TEST_PATIENCE", kPatience));
}

std::uint32_t* turns_over(DeviceMemory& device) {
    constexpr std::size_t kBytes = HOPBINE_NODE_BLOCKS * sizeof(std::uint32_t);
    return static_cast<std::uint32_t*>(device.space().allocate_host(kBytes));
}

bool NodeGroup::asked_for(const Call& c, Communicator& state, std::int64_t bytes) {
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

/// One wait on the host, for all kernels of the call. Returns an MPI error code.
int NodeGroup::run_kernels(const device::NodeParts& parts, const char* in, char* out) {
    const bool good = turns_.run(
        parts,
        [&](const hopbine_node& node) {
            return device_.space().run_node(parts.kernel.c_str(), node, in, out, device_.stream());
        },
        [&](const auto& over) { return wait_for(over) || device_.wait(); }, progress_library);
    return good ? MPI_SUCCESS : MPI_ERR_OTHER;
}

/// An allreduce of several nodes (Bine paper, Sec. 6.2): each rank gets the sum of a part within
/// its node, adds those of all nodes to it, and hands it to its node. Returns an MPI error code.
int NodeGroup::run_between(const ServedCall& f, const NodeCall& call) {
    const auto [sum, gather] = device::node_halves(call.parts());
    char* const own = call.out() + sum.in[sum.rank];
    const int added = run_kernels(sum, call.in(), own),
              // What others read of the part needs more than that its kernel tells so.
        ended = device_.wait() ? MPI_SUCCESS : MPI_ERR_OTHER,
              between = add_between(f, own, sum.n[sum.rank]),
              gathered = run_kernels(gather, own, call.out());
    return first_error({added, ended, between, gathered});
}

/// The call's buffers are on the device that has the arena, or on the host.
int NodeGroup::run_here(const ServedCall& f) {
    if (f.call.mirror) f.call.mirror->wait_for_all();
    NodeCall call(f, device_, turns_.me());
    const int begun = call.begin() ? MPI_SUCCESS : MPI_ERR_OTHER,
              run = f.state.between_nodes ? run_between(f, call)
                                          : run_kernels(call.parts(), call.in(), call.out()),
              error = first_error({begun, run, call.end()});
    if (error != MPI_SUCCESS)
        say_rank(std::string("a ") + name(f.call.collective) + " by the GPUs of a node failed");
    return error;
}

int NodeGroup::run(const ServedCall& f) {
    if (!f.call.device || f.call.device == &device_) return run_here(f);
    DeviceMirror mirror(f.call, f.state.rank, f.state.size);
    return mirror.finish(run_here({mirror.arrived_call(), f.state, f.plan, f.send, f.recv,
                                   f.reduction, f.endpoint, f.workspace, f.nonuniform}));
}

std::shared_ptr<NodeGroup> node_group_of(Communicator& state, const Peers* pairs) {
    std::shared_ptr<NodeGroup>& group = state.decider.knowledge().by_devices.group;
    if (group || state.device_ranks() == 0) return group;
    // The arena of this process is the first group's. Other communicators may have its ranks.
    static std::shared_ptr<NodeGroup> first;
    static std::vector<int> first_ranks;
    std::vector<int> ranks;
    for (const int r : state.of_node()) ranks.push_back(state.endpoint().rank(r));
    const bool known = first && ranks == first_ranks && !job().threaded;
    const std::vector<char*> arenas = arenas_of(state, pairs);
    std::uint32_t* over = nullptr;
    if (!first && !arenas.empty() && patience() > 0 &&
        OwnWorkspace::get().device().space().has_kernel("sum_f32_node"))
        over = group_over(OwnWorkspace::get().device());
    int can = known || over, all_can = 0;
    PMPI_Allreduce(&can, &all_can, 1, MPI_INT, MPI_MIN, state.user());
    if (!all_can) return nullptr;
    if (!known) {
        constexpr std::size_t kRoom = (OwnWorkspace::kArena - HOPBINE_ARENA_BEGIN) / 3;
        const auto me = static_cast<std::uint32_t>(state.located().nodes.index(state.rank));
        first_ranks = std::move(ranks);
        first = std::make_shared<NodeGroup>(
            OwnWorkspace::get().device(),
            device::NodeTurns(arenas, me, std::min(kRoom, test_setting("HOPBINE_TEST_ROOM", kRoom)),
                              patience(), over));
    }
    return group = first;
}

}  // namespace hopbine::mpi
