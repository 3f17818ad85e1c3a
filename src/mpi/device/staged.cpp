#include "mpi/device/staged.hpp"

#include "mpi/arguments/arguments.hpp"
#include "mpi/arguments/library_call.hpp"
#include "mpi/device/device_mirror.hpp"
#include "mpi/device/device_use.hpp"
#include "mpi/device/library_answer.hpp"
#include "mpi/device/node_call.hpp"
#include "mpi/device/node_group.hpp"
#include "mpi/neighborhood/topology.hpp"
#include "mpi/state/errors.hpp"
#include "mpi/state/passing.hpp"
#include "mpi/state/world.hpp"

namespace hopbine::mpi {

namespace {

/// Serves a call on copies in host memory. `decide`: serves the copies, or tells that the MPI
/// library does.
template <class Decide>
int serve_on_copies(const StagedCall& staged, const Communicator& state, Decide&& decide) {
    const MPI_Comm comm = staged.call.comm;
    DeviceMirror mirror(staged.call, state.rank, state.size);
    const int code = decide(mirror);
    const bool by_library = is_passed(code);
    const int error = by_library ? complete(code, mirror.arrived_call()) : code;
    const int end = mirror.finish(error);
    // The library has called the error handler.
    return by_library && end == error ? end : raise_later(comm, end);
}

/// Tells the choice of a call with buffers on a device that the kernels of a node fit, when it has
/// ended.
class DeviceNote {
public:
    DeviceNote(const StagedCall& staged, Communicator& state, std::int64_t began)
        : call_(staged.call),
          state_(state),
          key_(known_to_all(call_, state, staged.known)),
          began_(began) {
        fits_ = settings().gpu == Gpu::automatic && key_.bytes > 0 && fits_node(call_, state);
    }
    DeviceNote(const DeviceNote&) = delete;
    DeviceNote& operator=(const DeviceNote&) = delete;
    ~DeviceNote() {
        if (!fits_) return;
        const double took = seconds_since(began_);
        const ModelledCall model(state_.size, state_.device_ranks(), key_.bytes);
        state_.decider.knowledge().by_devices.note(call_.collective, select::size_class(key_.bytes),
                                                   model, took, space());
    }
    /// Whether the kernels serve it, on its buffers.
    bool by_devices() const {
        return fits_ && state_.node_group &&
               state_.learning.devices_serve_next(call_.collective, key_.bytes, key_.operands) &&
               state_.node_group->uses(call_, state_);
    }

private:
    device::Space* space() const {
        for (const UserBuffer& b : user_buffers(call_, state_.rank, state_.size))
            if (device::Space* const found = device::Runtime::get().space_of(b.first()))
                return found;
        return nullptr;
    }
    const Call& call_;
    Communicator& state_;
    const KnownToAll key_;
    const std::int64_t began_;
    bool fits_;
};

}  // namespace

bool StagedCall::prepare(const Call& given, Communicator& state) {
    if (!settings().stages() || intercommunicates(given.comm)) return false;
    call = given;
    if (call.among_neighbors) {
        auto read = read_topology(call.comm);
        if (!read) return false;
        neighbors = std::move(*read);
        call.neighbors = &neighbors;
    }
    if (!on_device(call, state) || !examine(call, state, &known)) return false;
    if (settings().gpu == Gpu::automatic) tell_why_staged();
    return true;
}

std::optional<int> serve_staged(const Call& c, int (*serve)(const Call&)) {
    if (!World::alive() || c.comm == MPI_COMM_NULL) return {};
    Communicator* const state = Communicator::aside(c.comm);
    StagedCall staged;
    if (!state || !staged.prepare(c, *state)) return {};
    const std::int64_t began = now();
    const DeviceNote note(staged, *state, began);
    const bool by_devices = note.by_devices();
    const PlaceOfCall place =
        by_devices ? PlaceOfCall{} : place_of(staged.call, *state, staged.known.bytes);
    bool by_library = false;
    const auto decide = [&](const Call& call) {
        const int code = serve(call);
        by_library = is_passed(code);
        return code;
    };
    staged.call.device = place.direct;
    if (!by_devices && !place.direct) {
        const int error =
            serve_on_copies(staged, *state, [&](auto& on) { return decide(on.call()); });
        if (!by_library) served_at(place, seconds_since(began));
        return error;
    }
    // What the MPI library serves is staged: it takes messages, which says nothing of collectives.
    const int code = decide(staged.call);
    if (!by_library) served_at(place, seconds_since(began));
    return is_passed(code) && !passes_on_device()
               ? serve_on_copies(staged, *state, [&](auto&) { return code; })
               : code;
}

}  // namespace hopbine::mpi
