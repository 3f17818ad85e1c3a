#include "mpi/entry/route.hpp"

#include "choice/first_calls.hpp"
#include "mpi/device/device_use.hpp"
#include "mpi/device/peer_workspaces.hpp"
#include "mpi/entry/serve.hpp"
#include "mpi/state/world.hpp"
#include "runtime/settings.hpp"
#include "select/size_class.hpp"

namespace hopbine::mpi {

namespace {

/// The name of the collective that a call is counted as.
const char* called(const Call& c) {
    return c.among_neighbors ? name(c.neighbor_blocks()) : hopbine::name(c.collective);
}

/// Passes on a call on a communicator that is never served. Its bytes are not counted.
void pass_unusable(const Call& c, Route& r) {
    Communicator& state = *r.state;
    r.known.bytes = 0;
    if (settings().stats.empty())
        this_thread().remember_all(c, Form::blocking);
    else if (c.among_neighbors)
        r.served.row = stat_row({state.size, name(c.neighbor_blocks()), Form::blocking, -1,
                                 select::kNoClass, select::kLibrary, "", "", state.why_unusable()});
    else
        r.served.row = state.decider.decide(c.collective, 0, 0, Operands::exact).served.row;
}

/// Passes on a call of a collective that the MPI library serves whatever the arguments.
void pass_library_only(const Call& c, Route& r) {
    if (settings().stats.empty()) return this_thread().remember_all(c, Form::blocking);
    if (!examine(c, *r.state, &r.known)) return;
    const auto [bytes, root, operands] = known_to_all(c, *r.state, r.known);
    r.served.row = r.state->decider.decide(c.collective, bytes, root, operands).served.row;
}

/// Passes on a call that the MPI library refuses on this rank. It is not counted, as it has not
/// happened in the library: a right one may follow that other ranks take for it. But none is to
/// wait for this rank in the communicator's first call, where that opens the communicator.
void pass_refused(Route& r) {
    Communicator& state = *r.state;
    r.refused = true;
    if (!state.learning.measures() && !state.is_open() && state.open(DeviceUse::none))
        state.device.started_by_refused();
}

/// Opens the communicator and agrees on device memory. False: the MPI library serves the call, on
/// all ranks.
bool agree(const Call& c, Route& r) {
    Communicator& state = *r.state;
    bool on_device = false;
    if (state.is_open()) {
        on_device = state.device.passes(device_use(c, state),
                                        [&](std::int64_t mine) { return state.most(mine); });
    } else {
        if (!state.open(device_use(c, state))) {
            pass_unusable(c, r);
            return false;
        }
        on_device = state.device.passing();
    }
    if (state.device.agreed() && settings().peers > 0) [[unlikely]]
        agree_on_peers(c, state);
    if (on_device) pass_because("device memory", c, Form::blocking, r);
    return !on_device;
}

/// Whether the MPI library serves the call whatever its block sizes, which not all ranks know.
/// Saves their validation, which takes longer than a short call.
bool passes_all_sizes(const Call& c, Communicator& state) {
    const int root = rooted(c.collective) ? c.root : 0;
    if (!c.varies || !settings().stats.empty() || root < 0 || root >= state.size) return false;
    if (state.learning.measures() && !rooted(c.collective)) return false;
    const Decision& d = state.decider.decide(c.collective, select::kUnknown, root, Operands::exact);
    if (d.served.plan) return false;
    // A rule's plan may fit some roots only.
    if (!d.ruled) this_thread().remember_all(c, Form::blocking);
    return true;
}

/// Keeps that the MPI library serves such calls: those of a kind until more is known; null: all.
void keep_passed(const Call& c, MeasuredKind* kind, const Route& r) {
    if (!settings().stats.empty()) return;
    const auto key = RouteKey::but_for_counts(c, Form::blocking, *r.state, r.known);
    if (!key || !stays_passed()) return;
    if (!c.counts)
        this_thread().passed.keep(c, Form::blocking, {*key, kind});
    else if (kind)
        this_thread().counted.keep(c, Form::blocking, {{*key, kind}, {c, *r.state, r.known}});
}

/// The MPI library serves a measured call: until more is known, and so all that are alike.
void pass_measured(const Call& c, MeasuredKind& kind, Route& r) {
    Communicator& state = *r.state;
    const auto& [bytes, root, operands] = r.key;
    if (!settings().stats.empty())
        r.served.row = state.learning.served_by(kind, 0, c.collective, bytes, root, operands).row;
    keep_passed(c, &kind, r);
}

/// Takes the turn of a call of a kind that is measured. `ready`: hopbine can serve it. `pass()`:
/// the library serves; `served_by(arm)`: what another arm is.
template <class Pass, class ServedBy>
void take_turn(const Call& c, select::Selector& selector, const Learner& learner, bool ready,
               Route& r, const Pass& pass, const ServedBy& served_by) {
    const auto [arm, timed, barrier] = selector.turn(*learner.kind, ready);
    if (barrier) {
        const std::int64_t begun = now();
        PMPI_Barrier(c.comm);
        selector.waited(*learner.kind, seconds_since(begun));
    }
    if (arm == 0) {
        pass();
    } else if (agree(c, r)) {
        r.served = served_by(arm);
    } else {
        if (timed) selector.undo(*learner.kind);
        return;
    }
    if (timed) r.learner = learner;
}

/// Decides on a call of a kind that is measured.
void route_measured(const Call& c, MeasuredKind& kind, Route& r) {
    Learning& all = r.state->learning;
    all.consider(kind, r.key.bytes, r.key.root);
    if (c.varies) all.measuring().note_sent(r.known.bytes);
    take_turn(
        c, all.measuring().selector, {&kind, &all}, all.ready_for(kind), r,
        [&] { pass_measured(c, kind, r); },
        [&](int arm) {
            return all.served_by(kind, arm, c.collective, r.key.bytes, r.key.root, r.key.operands);
        });
}

/// Decides on a neighbourhood collective of a kind that is measured.
void route_measured(const Call& c, Neighborhood& all, MeasuredKind& kind, Route& r) {
    const NeighborBlocks blocks = c.neighbor_blocks();
    all.note_sent(blocks, r.known.bytes);
    take_turn(
        c, all.selector(), {&kind, &all}, all.prepared(), r,
        [&] {
            if (!settings().stats.empty()) r.served.row = all.served_by(kind, blocks, 0).row;
        },
        [&](int arm) { return all.served_by(kind, blocks, arm); });
}

/// Whether the MPI library serves all such neighbourhood collectives.
bool passes_all(const Call& c, Neighborhood& all, Route& r) {
    if (!all.library_only(c.neighbor_blocks())) return false;
    r.known.bytes = 0;
    if (settings().stats.empty())
        this_thread().remember_all(c, Form::blocking);
    else
        r.served.row = all.library_row(c.neighbor_blocks());
    return true;
}

/// Decides on a neighbourhood collective.
void route_neighbors(Call c, Route& r) {
    Communicator& state = *r.state;
    Neighborhood& all = state.neighborhood();
    c.neighbors = r.neighbors = &all.mine();
    if (passes_all(c, all, r)) return;
    if (!examine(c, state, &r.known)) return pass_refused(r);
    if (MeasuredKind* const kind = all.measured_kind(c.neighbor_blocks()))
        return route_measured(c, all, *kind, r);
    if (!agree(c, r)) return;
    all.prepare();
    if (passes_all(c, all, r)) return;
    r.served = all.decide(c.neighbor_blocks(), r.known.bytes);
}

/// Decides on an alltoallv by its sizes, which the ranks tell one another.
void route_by_sizes(const Call& c, Route& r) {
    Decider& decider = r.state->decider;
    if (!examine(c, *r.state, &r.known)) return pass_refused(r);
    r.key = known_to_all(c, *r.state, r.known);
    if (!agree(c, r)) return;
    r.key.bytes = decider.begin_alltoallv(r.known.bytes);
    r.served = decider.decide(c.collective, r.key.bytes, r.key.root, r.key.operands).served;
    r.sizes_told = r.served.plan;
    if (!r.sizes_told) decider.end_alltoallv(nullptr, 0);
}

/// Decides on any other collective that hopbine may serve.
void route_collective(const Call& c, Route& r) {
    Communicator& state = *r.state;
    if (c.collective == Collective::alltoallv && state.decider.asks_sizes())
        return route_by_sizes(c, r);
    if (passes_all_sizes(c, state)) return;
    if (!examine(c, state, &r.known)) return pass_refused(r);
    r.key = known_to_all(c, state, r.known);
    const auto& [bytes, root, operands] = r.key;
    if (!state.learning.measures()) {
        if (agree(c, r))
            r.served = state.decider.decide(c.collective, bytes, root, operands).served;
        return;
    }
    const auto [kind, found] = state.learning.find(c.collective, bytes, root, operands);
    if (kind) return route_measured(c, *kind, r);
    const Served served = *found;
    if (!served.plan) {
        r.served.row = served.row;
        keep_passed(c, nullptr, r);
    } else if (agree(c, r)) {
        r.served = served;
    }
}

/// What a look at one of a communicator's first calls has found.
enum class Look { passed, refused, ended };

/// Looks at a call, the same on all ranks: whether it is the last of the first calls.
Look look_at(const Call& c, Communicator& state, FirstCalls& first) {
    double weight = 1, share = settings().budget;
    if (!state.unusable()) {
        Arguments known;
        if (!examine(c, state, &known)) return Look::refused;
        const std::int64_t bytes = known_to_all(c, state, known).bytes;
        weight = state.learning.weight(c.collective, bytes);
        if (share > 0) share += state.learning.claimed(bytes);
    }
    return first.look(weight, share) ? Look::ended : Look::passed;
}

/// Whether the MPI library serves the call as one of its communicator's first ones, or refuses it
/// among them. Else sets the state.
bool passes_first(const Call& c, Route& r) {
    const auto [state, first] = Communicator::at_call(c.comm, c.among_neighbors);
    r.state = state;
    if (!first) return false;
    const Look look = state ? look_at(c, *state, *first) : Look::passed;
    if (look == Look::ended) return false;
    r.state = nullptr;
    r.refused = look == Look::refused;
    if (look == Look::passed) r.first_calls = first;
    return true;
}

}  // namespace

void pass_because(const char* why, const Call& c, Form form, Route& r) {
    r.why = why;
    if (settings().stats.empty()) return;
    const int root = rooted(c.collective) ? c.root : -1;
    r.served.row = stat_row({r.state->size, called(c), form, root,
                             select::size_class(c.varies ? select::kUnknown : r.known.bytes),
                             select::kLibrary, "", "", why});
}

void route_blocking(const Call& c, Route& r) {
    if (r.state->unusable()) return pass_unusable(c, r);
    if (c.among_neighbors) return route_neighbors(c, r);
    if (r.state->decider.library_only(c.collective)) return pass_library_only(c, r);
    route_collective(c, r);
}

Route route(const Call& c, Form form) {
    Route r;
    if (!World::alive() || c.comm == MPI_COMM_NULL) return r;
    if (form == Form::persistent)
        r.state = Communicator::of(c.comm);
    else if (passes_first(c, r))
        return r;
    if (!r.state) return r;
    switch (form) {
    case Form::blocking: route_blocking(c, r); break;
    case Form::nonblocking: route_nonblocking(c, r); break;
    case Form::persistent: route_persistent(c, r); break;
    }
    return r;
}

}  // namespace hopbine::mpi
