#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "mpi/device/device_use.hpp"
#include "mpi/device/node_group.hpp"
#include "mpi/device/peer_workspaces.hpp"
#include "mpi/state/world.hpp"

namespace hopbine::mpi {

namespace {

/// What a rank and another one on its node know of one another.
struct Mate {
    int rank;
    WorkspaceOffer offer{};
    const char* opened = nullptr;  ///< its workspace, here
    int is_opened = 0;             ///< that is so
    int has_opened = 0;            ///< it has opened this rank's
};

/// The other ranks on this rank's node.
std::vector<Mate> mates_of(const Communicator& state) {
    const auto node_of = [&](int r) { return job().rank(state.endpoint().rank(r)).node; };
    constexpr std::uint64_t kNoName = 0;
    std::vector<Mate> out;
    for (int r = 0; r < state.size; ++r)
        if (r != state.rank && node_of(r) == node_of(state.rank) && node_of(r) != kNoName)
            out.push_back({r});
    return out;
}

/// Sends mine(mate) to each, and receives its theirs(mate).
template <class Mine, class Theirs>
void exchange(std::vector<Mate>& mates, const Endpoint& at, const Mine& mine,
              const Theirs& theirs) {
    constexpr int kChannel = announced_channel(Announced::header, kDataChannel);
    std::vector<MPI_Request> requests;
    for (Mate& m : mates) {
        auto& in = theirs(m);
        PMPI_Irecv(&in, sizeof in, MPI_BYTE, at.rank(m.rank), at.own_tag(kChannel), at.comm,
                   &requests.emplace_back());
    }
    for (Mate& m : mates) {
        const auto& out = mine(m);
        PMPI_Isend(&out, sizeof out, MPI_BYTE, at.rank(m.rank), at.tag_of(m.rank, kChannel),
                   at.comm, &requests.emplace_back());
    }
    PMPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

/// Tables of all communicators, each kept once and for ever: calls under way have them.
const Peers* keep(Peers table) {
    static std::mutex lock;
    static auto& all = *new std::map<std::vector<const char*>, std::unique_ptr<const Peers>>;
    const std::lock_guard hold(lock);
    std::unique_ptr<const Peers>& out = all[table.opened];
    if (!out) out = std::make_unique<const Peers>(std::move(table));
    return out.get();
}

/// Exchanges offers, then whether they could be opened. `own`: of this rank, or null. Null: there
/// is no pair.
const Peers* find_pairs(const Communicator& state, PeerWorkspace* own) {
    const Endpoint& at = state.endpoint();
    const WorkspaceOffer offer = own ? OwnWorkspace::get().offer() : WorkspaceOffer{};
    std::vector<Mate> mates = mates_of(state);
    exchange(
        mates, at, [&](Mate&) -> const WorkspaceOffer& { return offer; },
        [](Mate& m) -> WorkspaceOffer& { return m.offer; });
    for (Mate& m : mates)
        if (own && m.offer.is_there) m.opened = open_workspace(at.rank(m.rank), m.offer);
    for (Mate& m : mates) m.is_opened = m.opened != nullptr;
    exchange(
        mates, at, [](Mate& m) -> const int& { return m.is_opened; },
        [](Mate& m) -> int& { return m.has_opened; });
    Peers table{settings().peers, own, {}};
    table.opened.resize(static_cast<std::size_t>(state.size));
    bool any = false;
    for (const Mate& m : mates)
        if (m.opened && m.has_opened) {
            table.opened[static_cast<std::size_t>(m.rank)] = m.opened;
            any = true;
        }
    return any ? keep(std::move(table)) : nullptr;
}

}  // namespace

void agree_on_peers(const Call& c, Communicator& state) {
    DeviceMemory* const device =
        c.device ? static_cast<DeviceMemory*>(c.device) : last_direct_memory();
    if (device) OwnWorkspace::get().make(*device, state.endpoint().rank(state.rank));
    PeerWorkspace* const own = OwnWorkspace::get().buffers();  // another thread may make it later
    const int news = own && !state.workspace_told;
    int any = 0;
    PMPI_Allreduce(&news, &any, 1, MPI_INT, MPI_MAX, state.user());
    if (!any) return;
    const Peers* const pairs = find_pairs(state, own);
    state.set_peers(pairs);
    state.workspace_told = own;
    if (!state.node_group) state.have_devices(node_group_of(state, pairs));
}

/// In an agreement on what the choice has measured (ByDevices). Messages between the ranks go as
/// before.
bool Communicator::join_devices() {
    ByDevices& known = decider.knowledge().by_devices;
    if (!known.group && device_ranks() > 0) {
        if (DeviceMemory* const here = known.space() ? DeviceMemory::of(*known.space()) : nullptr)
            OwnWorkspace::get().make(*here, endpoint().rank(rank));
        node_group_of(*this, find_pairs(*this, OwnWorkspace::get().buffers()));
    }
    if (!node_group) have_devices(known.group);
    return node_group != nullptr;
}

}  // namespace hopbine::mpi
