// Decides on nonblocking and persistent calls, which go on by themselves.
#include "mpi/device/device_use.hpp"
#include "mpi/entry/route.hpp"
#include "mpi/entry/serve.hpp"
#include "mpi/requests/drivers.hpp"
#include "mpi/state/nonblocking.hpp"
#include "runtime/settings.hpp"

namespace hopbine::mpi {

namespace {

/// Calls that hopbine serves, whatever is measured, and what their arguments were found to be.
struct ServedRoute {
    RouteKey key;
    Arguments known;
    KnownToAll to_all{};
    Reduction reduction;
};

/// The calls of all threads, which use them inside of the engine.
RouteCache<ServedRoute, 8>& served_routes() {
    static auto& all = *new RouteCache<ServedRoute, 8>;
    return all;
}

/// hopbine serves the call, by a plan that is chosen over its own tags.
void serve_later(const Reduction& reduction, Route& r) {
    r.later = true;
    r.reduction = &reduction;
}

/// Whether the call is known to be served by hopbine.
bool serves_again(const Call& c, Route& r) {
    const ServedRoute* const known = served_routes().find(c, Form::nonblocking);
    if (!known) return false;
    r.known = known->known;
    r.key = known->to_all;
    serve_later(known->reduction, r);
    return true;
}

/// Whether the MPI library serves all nonblocking calls of the collective, whatever was found for
/// blocking ones; it may be known of what blocking calls among neighbours have found, which is the
/// same on all ranks.
bool passes_all(const Call& c, Communicator& state) {
    const bool counted = !settings().stats.empty();
    if (!c.among_neighbors && !counted && !state.unusable() &&
        state.decider.library_only(c.collective, Form::nonblocking))
        return true;  // nothing is made for such calls
    Communicator& choice = Nonblocking::of(state)->choice();
    if (choice.unusable()) return true;
    return c.among_neighbors ? state.neighborhood().library_only(c.neighbor_blocks())
                             : !counted && choice.decider.library_only(c.collective);
}

/// Whether what is decided on such a call, which tells no statistics, holds for all that are alike.
bool lasts(Collective c, Communicator& choice) {
    return choice.decider.decides_for_ever(c) && settings().stats.empty();
}

/// Whether the MPI library serves the call, known at once and on all ranks.
bool passes_now(const Call& c, Nonblocking& of, Route& r) {
    Communicator& choice = of.choice();
    const auto& [bytes, root, operands] = r.key;
    if (!choice.decider.decides_at_once(c.collective, bytes, root, operands)) return false;
    const Served& served = choice.decider.decide(c.collective, bytes, root, operands).served;
    if (served.plan && !(served.for_many && of.is_early())) return false;
    r.served.row = served.row;
    if (served.plan || !lasts(c.collective, choice)) return true;
    const auto key = RouteKey::of(c, Form::nonblocking, choice, r.known);
    if (key && stays_passed()) this_thread().passed.keep(c, Form::nonblocking, {*key});
    return true;
}

/// Passes on a call where the MPI library serves all nonblocking ones of the job.
void pass_unserved(Call c, const char* why, Route& r) {
    if (r.state->unusable() || settings().stats.empty()) return;
    if (c.among_neighbors) c.neighbors = &r.state->neighborhood().mine();
    if (examine(c, *r.state, &r.known)) pass_because(why, c, Form::nonblocking, r);
}

/// Decides on a call of a collective that hopbine may serve.
void route_in_turn(Call c, Route& r) {
    const std::shared_ptr<Nonblocking>& of = Nonblocking::of(*r.state);
    Communicator& choice = of->choice();
    if (c.among_neighbors) c.neighbors = r.neighbors = &choice.neighborhood().mine();
    r.refused = !examine(c, choice, &r.known);
    if (r.refused) return;
    if (needs_program(c, choice)) return pass_because(kNeedsProgram, c, Form::nonblocking, r);
    r.key = known_to_all(c, choice, r.known);
    serve_later(choice.reduction(), r);
    if (c.neighbors) return;
    r.measured = r.state->learning.measured(c.collective, r.key.bytes, r.key.operands);
    if (!r.measured && passes_now(c, *of, r)) return void(r.later = false);
    if (!lasts(c.collective, choice)) return;
    if (const auto key = RouteKey::of(c, Form::nonblocking, choice, r.known))
        served_routes().keep(c, Form::nonblocking, {*key, r.known, r.key, choice.reduction()});
}

/// What the ranks of a persistent call agree on: the maximum of each.
struct Agreement {
    std::int64_t invalid, device, staged, bytes;
};

Agreement agree(const Agreement& mine, const Communicator& state) {
    Agreement most{};
    PMPI_Allreduce(&mine, &most, 4, MPI_INT64_T, MPI_MAX, state.user());
    return most;
}

/// hopbine cannot serve the persistent call, on all ranks alike.
void refuse(int error, const char* why, Route& r) {
    r.error = error;
    r.why = why;
}

/// Whether the MPI library serves every such persistent call, whatever its arguments. The same on
/// all ranks.
bool library_only(const Call& c, Communicator& state) {
    // Not one on device memory, which a rank had in reach before the call.
    if (settings().asks_for_gpu() || (settings().stages() && job().device_loaded)) return false;
    return c.among_neighbors ? state.neighborhood().library_only(c.neighbor_blocks())
                             : state.decider.library_only(c.collective);
}

/// Decides on a persistent call that hopbine may serve. `state`: of the persistent calls.
void route_agreed(Call c, Communicator& state, Route& r) {
    if (c.among_neighbors) c.neighbors = r.neighbors = &state.neighborhood().mine();
    r.refused = !examine(c, state, &r.known);
    // As in the MPI library, a call that it refuses leaves nothing behind.
    if (r.refused && !c.by_name) return;
    const bool staged = settings().stages() && on_device(c, state);
    const Agreement all = agree(
        {r.refused, static_cast<std::int64_t>(device_use(c, state)), staged, r.known.bytes}, state);
    if (all.invalid) return refuse(MPI_ERR_ARG, "a rank's arguments are not valid", r);
    // The CPU reads and writes the buffers whenever the call is started.
    if (static_cast<DeviceUse>(all.device) == DeviceUse::used)
        return refuse(MPI_ERR_BUFFER,
                      "a rank's buffer is device memory, which persistent calls serve only with "
                      "--gpu staged (HOPBINE_GPU)",
                      r);
    if (needs_program(c, state)) return;
    r.on_device = all.staged;
    r.must = c.by_name || all.staged;
    r.key = known_to_all(c, state, r.known);
    if (c.neighbors || c.collective == Collective::alltoallv) r.key.bytes = all.bytes;
    serve_later(state.reduction(), r);
}

}  // namespace

Served choose_persistent(const Call& c, const Route& r, Communicator& state) {
    const auto& [bytes, root, operands] = r.key;
    if (r.neighbors) {
        Neighborhood& all = state.neighborhood();
        all.prepare();
        if (r.must) return all.decide(c.neighbor_blocks(), bytes);
        if (all.library_only(c.neighbor_blocks())) return {};
        return all.decide_repeated(c.neighbor_blocks(), bytes);
    }
    if (c.collective == Collective::alltoallv) return state.decider.decide_repeated(bytes, r.must);
    Served out = state.decider.decide(c.collective, bytes, root, operands).served;
    const auto measured = r.state->learning.measured(c.collective, bytes, operands);
    if (measured && out.plan)
        out = state.decider.decide(c.collective, bytes, root, operands, measured).served;
    return out.plan || !r.must ? out
                               : state.decider.serve_anyhow(c.collective, bytes, root, operands);
}

void route_persistent(const Call& c, Route& r) {
    if (!calls_progress()) return;
    Communicator& state = *r.state->for_persistent();
    const bool alone = c.by_name && state.size == 1 && job().open;
    if (state.unusable() && !alone) return refuse(MPI_ERR_COMM, state.why_unusable().c_str(), r);
    if (c.by_name || !library_only(c, state)) route_agreed(c, state, r);
}

void route_nonblocking(const Call& c, Route& r) {
    if (serves_again(c, r)) return;
    const bool served = calls_progress() && (!job().device_loaded || settings().stages());
    if (!served) pass_unserved(c, calls_progress() ? kDeviceLoaded : kNoProgress, r);
    if (!served || r.state->unusable() || passes_all(c, *r.state))
        return this_thread().remember_all(c, Form::nonblocking);
    route_in_turn(c, r);
}

}  // namespace hopbine::mpi
