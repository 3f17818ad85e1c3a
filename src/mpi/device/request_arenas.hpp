/// Memory of persistent requests whose calls are kernels on the devices of a node
/// (mpi/device/node_request.hpp): each has an arena of its own, since ranks may start requests in
/// different orders.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "device/node_turns.hpp"
#include "mpi/device/device_memory.hpp"
#include "mpi/state/communicator.hpp"

namespace hopbine::mpi {

/// What a rank has of an arena, and of the others' parts of it.
struct RequestArena {
    DeviceMemory& device;
    device::Stream stream;
    std::size_t room;
    device::NodeTurns turns;
    /// Since a request has taken it until that is freed here and its last turn is over.
    bool in_use = true;
};

/// The arenas of the same ranks, in one order. They are never given back to the device: another
/// rank may be in a turn, which only the ranks together know. Later requests have them.
class RequestArenas {
public:
    /// `ranks`: in MPI_COMM_WORLD.
    static RequestArenas& of(const std::vector<int>& ranks);

    /// What a rank asks for.
    struct Wish {
        DeviceMemory* device;  ///< null: this rank cannot use one
        std::int64_t room;     ///< bytes of an input
        std::size_t besides;   ///< bytes that the request takes elsewhere on the device
    };
    /// An arena that no rank uses, or a new one; null, on all ranks: there is none, or they wish
    /// for different ones, which is an error of the program. Collective over `state`, which has the
    /// ranks.
    RequestArena* take(const Wish& wish, const Communicator& state);
    /// Bytes that the requests of this process have on devices besides their arenas.
    static std::size_t& besides();

private:
    explicit RequestArenas(const std::vector<int>& ranks) : ranks_(ranks) {}
    RequestArena* make(const Wish& wish, const Communicator& state);

    const std::vector<int> ranks_;
    /// In the order in which the ranks have made them.
    std::vector<std::unique_ptr<RequestArena>> all_;
    bool broken_ = false;  ///< one rank's memory could not be opened by another
};

}  // namespace hopbine::mpi
