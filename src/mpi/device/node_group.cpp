#include "mpi/device/node_group.hpp"

#include <algorithm>
#include <cstdlib>

#include "device/runtime.hpp"
#include "mpi/device/peer_workspaces.hpp"
#include "mpi/state/log.hpp"
#include "runtime/mirror.hpp"

namespace hopbine::mpi {

namespace {

using device::Direction;

/// Looks at a flag until a kernel gives up: some 20 ms at 1 us for a look, which a device that is
/// shared gives to others then, and the host to the MPI library.
constexpr std::uint32_t kPatience = 20'000;
/// Bytes from which on each rank adds a part for all: below, each adds all. On 8 ranks all of it
/// reads 8 times as much, and waits once less (1 to 2 us on one H200).
constexpr std::int64_t kTwoShotFrom = 256 << 10;

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

}  // namespace

/// A vector on the device, and what adds it.
struct NodeGroup::Vector {
    const char* kernel;
    const char* in;
    char* out;
    std::int64_t bytes, width;

    /// Bytes of a piece, which fits an input.
    std::int64_t piece(const hopbine_node& node) const {
        return static_cast<std::int64_t>(node.room) / width * width;
    }
    std::uint32_t pieces(const hopbine_node& node) const {
        return static_cast<std::uint32_t>((bytes + piece(node) - 1) / piece(node));
    }
};

NodeGroup::NodeGroup(DeviceMemory& device, const std::vector<const char*>& arenas, int rank)
    : device_(device) {
    for (std::size_t r = 0; r < arenas.size(); ++r) node_.arena[r] = const_cast<char*>(arenas[r]);
    node_.ranks = static_cast<std::uint32_t>(arenas.size());
    node_.rank = static_cast<std::uint32_t>(rank);
    node_.patience = patience();
    node_.room = (OwnWorkspace::kArena - HOPBINE_ARENA_BEGIN) / 3;
    node_.over = turns_over(device);
    if (node_.over) std::fill_n(node_.over, +HOPBINE_NODE_BLOCKS, 0u);
}

bool NodeGroup::serves(const Call& c, const Communicator& state, std::int64_t bytes) const {
    return c.collective == Collective::allreduce && bytes >= settings().peers && bytes > 0 &&
           state.reduction().kernel_name && state.reduction().type.plain;
}

/// The turn that all blocks are over with. Acquired: kernels release it after the results.
std::uint32_t NodeGroup::over() const {
    std::uint32_t behind = 0;
    for (int b = 0; b < HOPBINE_NODE_BLOCKS; ++b)
        behind = std::max(behind, turns_ - __atomic_load_n(&node_.over[b], __ATOMIC_ACQUIRE));
    return turns_ - behind;
}

/// Begins the kernel of a turn; `first`: that of the vector's first piece.
bool NodeGroup::begin(const Vector& v, std::uint32_t first, std::uint32_t turn) {
    const std::int64_t at = v.piece(node_) * (turn - first),
                       bytes = std::min(v.piece(node_), v.bytes - at);
    node_.turn = turn;
    node_.parts = bytes >= kTwoShotFrom ? node_.ranks : 1;
    return device_.space().reduce_node(v.kernel, node_, v.in + at, v.out + at,
                                       static_cast<std::size_t>(bytes / v.width), device_.stream());
}

/// Begins a kernel for each piece, and waits once for all, unless one has given up: then those that
/// are not over are begun again.
bool NodeGroup::run_pieces(const Vector& v) {
    const std::uint32_t first = turns_ + 1;
    turns_ += v.pieces(node_);
    while (over() != turns_) {
        for (std::uint32_t turn = over() + 1; turn != turns_ + 1; ++turn)
            if (!begin(v, first, turn)) return false;
        if (!device_.wait()) return false;
        if (over() != turns_) progress_library();
    }
    return true;
}

int NodeGroup::run(const ServedCall& f) {
    const Call& c = f.call;
    const std::int64_t bytes = c.recv_count * f.reduction.type.size;
    if (c.mirror) c.mirror->wait_for_all();
    const void* const send = c.send == MPI_IN_PLACE ? c.recv : c.send;
    const auto is_here = [&](const void* p) {
        return device::Runtime::get().space_of(p) == &device_.space();
    };
    Workspace& w = f.workspace.on(device_);
    const bool in_here = is_here(send), out_here = is_here(c.recv);
    Vector v{f.reduction.kernel_name, static_cast<const char*>(send), static_cast<char*>(c.recv),
             bytes, f.reduction.type.size};
    if (!out_here) v.out = w.work.at_least(bytes);
    bool good = true;
    if (!in_here) {
        char* const in = w.packed_send.at_least(bytes);
        good = device_.space().copy(in, send, static_cast<std::size_t>(bytes), Direction::to_device,
                                    device_.stream());
        v.in = in;
    }
    good = run_pieces(v) && good;
    if (!out_here)
        good = device_.space().copy(c.recv, v.out, static_cast<std::size_t>(bytes),
                                    Direction::to_host, device_.stream()) &&
               device_.wait() && good;
    if (!good) say_rank("an allreduce by the GPUs of a node failed");
    return good ? MPI_SUCCESS : MPI_ERR_OTHER;
}

void agree_on_node_group(Communicator& state, bool all) {
    static bool taken = false;  // the arena of this process is one communicator's
    PeerWorkspace* const own = OwnWorkspace::get().buffers();
    const auto has_kernels = [] {
        return OwnWorkspace::get().device().space().has_kernel("sum_f32_node");
    };
    int can = all && own && !taken && state.size <= HOPBINE_NODE_RANKS && has_kernels();
    std::unique_ptr<NodeGroup> group;
    if (can) {
        std::vector<const char*> arenas = state.peers()->opened;
        arenas[static_cast<std::size_t>(state.rank)] = OwnWorkspace::get().begin();
        for (const char*& at : arenas) at -= OwnWorkspace::kArena;
        group = std::make_unique<NodeGroup>(OwnWorkspace::get().device(), arenas, state.rank);
        can = group->usable() && patience() > 0;
    }
    int all_can = 0;
    PMPI_Allreduce(&can, &all_can, 1, MPI_INT, MPI_MIN, state.user());
    if (!all_can) return;
    taken = true;
    state.node_group = std::move(group);
}

}  // namespace hopbine::mpi
