#include "mpi/entry/staged.hpp"

#include "mpi/entry/arguments.hpp"
#include "mpi/entry/device_mirror.hpp"
#include "mpi/entry/library_call.hpp"
#include "mpi/entry/serve.hpp"
#include "mpi/neighborhood/topology.hpp"
#include "mpi/state/errors.hpp"
#include "mpi/state/world.hpp"

extern "C" void hopbine_passed(void);

namespace hopbine::mpi {

namespace {

/// Whether it is an intercommunicator: its calls are for the MPI library alone.
bool is_between_groups(MPI_Comm comm) {
    int between = 0;
    PMPI_Comm_test_inter(comm, &between);
    return between;
}

/// Serves a call on host memory. Returns an MPI error code; *by_library: the MPI library has
/// served it, and has called the error handler where there is one.
int serve_on_host(const Call& c, bool* by_library) {
    const int code = serve_as_given(c);
    *by_library = code == kPass || code == kPassTimed;
    if (!*by_library) return code;
    const int error = call_library(c);
    if (code == kPassTimed) hopbine_passed();
    return error;
}

}  // namespace

bool StagedCall::prepare(const Call& given, Communicator& state) {
    if (!settings().staged || is_between_groups(given.comm)) return false;
    call = given;
    if (call.among_neighbors) {
        if (!read_topology(call.comm, &neighbors)) return false;
        call.neighbors = &neighbors;
    }
    return on_device(call, state) && examine(call, state, &known);
}

std::optional<int> serve_staged(const Call& c) {
    if (!World::alive() || c.comm == MPI_COMM_NULL) return {};
    Communicator* const state = Communicator::of(c.comm);
    StagedCall staged;
    if (!state || !staged.prepare(c, *state)) return {};
    DeviceMirror mirror(staged.call, state->rank, state->size);
    bool by_library = false;
    const int error = serve_on_host(mirror.call(), &by_library);
    const int end = mirror.finish(error);
    return by_library && end == error ? end : raise_later(c.comm, end);
}

}  // namespace hopbine::mpi
