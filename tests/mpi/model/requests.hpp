/// Requests of the fake MPI, and waiting for them.
#pragma once
#include <mpi.h>

#include <functional>
#include <memory>

#include "network.hpp"

namespace model {

struct Request {
    TransferPtr transfer;  ///< null: complete from the start, or a collective
    Network::Place place{};
    std::function<bool()> collective;  ///< tries to complete it
    bool persistent = false, active = true, freed = false;
};

MPI_Request add_request(std::shared_ptr<Request> request);
Request& request_of(MPI_Request handle);
/// Frees it, once it is complete.
void free_request(MPI_Request handle);
bool is_complete(MPI_Request handle);
/// Ends a complete request. Returns its error code.
int finish(MPI_Request* handle, MPI_Status* status);
/// Calls the polls of this rank.
void progress();
/// Makes progress and lets others run until `done` holds. `what` waits.
void wait_until(const char* what, const std::function<bool()>& done);
/// Whether this rank is inside of progress, where MPI allows little.
bool in_progress();
/// Whether this thread is in a call that must return although others do not run.
bool must_return_now();
/// A poll of this rank.
void add_poll(MPIX_Async_poll_function* poll, void* state);

}  // namespace model
