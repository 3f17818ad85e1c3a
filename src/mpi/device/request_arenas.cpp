#include "mpi/device/request_arenas.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "mpi/device/node_group.hpp"
#include "mpi/device/peer_workspaces.hpp"
#include "runtime/log.hpp"

namespace hopbine::mpi {

namespace {

/// Bytes that all requests of a process may take on its devices.
std::size_t most_bytes() {
    constexpr std::size_t kMost = std::size_t{256} << 20;
    return test_setting("HOPBINE_TEST_REQUEST_BYTES", kMost);
}

/// Bytes of this process's arenas.
std::size_t& taken() {
    static std::size_t all = 0;
    return all;
}

/// Bytes of an arena with inputs of so many: whole pieces of what a driver allocates, so that no
/// handle opens other memory, and what short requests leave is of use for one another.
std::size_t bytes_for(std::size_t room) {
    constexpr std::size_t kPiece = 2 << 20;
    return (kPattern + HOPBINE_ARENA_BEGIN + 3 * room + kPiece - 1) / kPiece * kPiece;
}

/// The inputs for which those are enough.
std::size_t room_in(std::size_t bytes) {
    constexpr std::size_t kPage = 4096;
    return (bytes - kPattern - HOPBINE_ARENA_BEGIN) / 3 / kPage * kPage;
}

/// Whether it is so on all ranks. Collective.
bool all_agree(bool mine, const Communicator& state) {
    const int one = mine;
    int all = 0;
    PMPI_Allreduce(&one, &all, 1, MPI_INT, MPI_MIN, state.user());
    return all;
}

/// Opens the others' memory. Returns the arenas of all ranks, as the device sees them; empty: some
/// cannot be opened.
std::vector<char*> open_all(DeviceMemory& device, const std::vector<WorkspaceOffer>& offers,
                            char* own, int rank) {
    std::vector<char*> out;
    for (int r = 0; r < static_cast<int>(offers.size()); ++r) {
        const WorkspaceOffer& offer = offers[static_cast<std::size_t>(r)];
        const char* why = "cannot be given to other processes";
        char* const opened = r == rank        ? own
                             : offer.is_there ? open_offered(device, offer, &why)
                                              : nullptr;
        if (!opened) {
            say_once(std::string("GPUs of a node: the GPU memory of a rank ") + why +
                     "; persistent calls are staged");
            return {};
        }
        out.push_back(opened + kPattern);
    }
    return out;
}

}  // namespace

RequestArenas& RequestArenas::of(const std::vector<int>& ranks) {
    static auto& all = *new std::map<std::vector<int>, std::unique_ptr<RequestArenas>>;
    std::unique_ptr<RequestArenas>& out = all[ranks];
    if (!out) out.reset(new RequestArenas(ranks));
    return *out;
}

std::size_t& RequestArenas::besides() {
    static std::size_t all = 0;
    return all;
}

/// The ranks have the same arenas, but each frees its requests when it likes. So they tell one
/// another which are unused, and take the least that all have so.
RequestArena* RequestArenas::take(const Wish& wish, const Communicator& state) {
    const auto room = static_cast<std::size_t>(wish.room);
    const std::size_t rest = most_bytes() - std::min(most_bytes(), taken() + besides());
    const bool able = wish.device && wish.besides <= rest,
               fits = able && !broken_ && bytes_for(room) + wish.besides <= rest;
    std::vector<std::int64_t> least{able, fits, wish.room, -wish.room};
    const std::size_t known = least.size();
    for (const auto& a : all_)
        least.push_back(!a->in_use && &a->device == wish.device && a->room >= room);
    PMPI_Allreduce(MPI_IN_PLACE, least.data(), static_cast<int>(least.size()), MPI_INT64_T, MPI_MIN,
                   state.user());
    if (!least[0] || least[2] != -least[3]) return nullptr;
    RequestArena* found = nullptr;
    for (std::size_t k = 0; k < all_.size(); ++k)
        if (least[known + k] && (!found || all_[k]->room < found->room)) found = all_[k].get();
    if (!found) return least[1] ? make(wish, state) : nullptr;
    found->in_use = true;
    return found;
}

/// What is offered is not freed where a rank fails: others may have it open. Then none is made any
/// more.
RequestArena* RequestArenas::make(const Wish& wish, const Communicator& state) {
    DeviceMemory& device = *wish.device;
    const std::size_t bytes = bytes_for(static_cast<std::size_t>(wish.room));
    const auto me = static_cast<std::size_t>(state.rank);
    void* const own = device.space().allocate(bytes);
    if (!all_agree(own, state)) {
        if (own) device.space().free(own);
        return nullptr;
    }
    std::vector<WorkspaceOffer> offers(ranks_.size());
    std::uint32_t* const over = turns_over(device);
    const device::Stream stream = device.space().make_own_stream();
    const bool ready = over && stream && offer_memory(device, own, ranks_[me], &offers[me]);
    PMPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, offers.data(), sizeof(WorkspaceOffer),
                   MPI_BYTE, state.user());
    taken() += bytes;
    const std::vector<char*> arenas = open_all(device, offers, static_cast<char*>(own), state.rank);
    if (!all_agree(ready && !arenas.empty(), state)) {
        broken_ = true;
        return nullptr;
    }
    const std::size_t room = room_in(bytes);
    all_.push_back(std::make_unique<RequestArena>(RequestArena{
        device, stream, room,
        device::NodeTurns(arenas, static_cast<std::uint32_t>(me), room, patience(), over)}));
    return all_.back().get();
}

}  // namespace hopbine::mpi
