/// Runs a bound plan by MPI point-to-point messages.
#pragma once
#include <mpi.h>

#include <map>
#include <memory>
#include <vector>

#include "mpi/execute/buffers.hpp"
#include "mpi/execute/channels.hpp"
#include "mpi/execute/endpoint.hpp"

namespace hopbine::mpi {

/// A posted receive.
struct Received {
    const Message* message;
    char* staged;  ///< null: received in place
    std::int64_t elements;
    std::size_t first_request, last_request;
    int number;  ///< of an announced message; 0: it is not announced
};

/// Scratch of one communicator, kept between calls.
struct Workspace {
    /// Makes scratch in the memory of a device; null: the host's.
    explicit Workspace(Memory* device = nullptr)
        : staging(device), work(device), temp(device), packed_send(device), packed_recv(device) {}
    Scratch staging, work, temp, packed_send, packed_recv;
    std::vector<MPI_Request> requests;
    std::vector<Received> received;
    std::vector<const char*> packed;  ///< where the sends of a step begin, on a device
    std::vector<std::int64_t> prefix;
    std::vector<Piece> arrived;  ///< received in the step before
    std::vector<bool> copied;    ///< [position]
    StepScratch step;
    ChannelWorkspace channels;
    /// The workspace for calls on a device, made at its first.
    Workspace& on(Memory& device);
    /// Frees the buffers that are larger than Scratch::kKept.
    void trim() {
        for (Scratch* s : {&staging, &work, &temp, &packed_send, &packed_recv}) s->trim();
        for (const auto& [device, one] : devices_) one->trim();
    }

private:
    std::map<Memory*, std::unique_ptr<Workspace>> devices_;
};

/// Runs all steps of the plan. Returns the first MPI error code: after an error the schedule still
/// runs to its end.
int execute(const Plan& plan, const Binding& b, const Endpoint& at, Workspace& w);

// What execute() does for plans of one channel. In files of their own: calls on host memory by MPI
// messages, which may not become slower, have code of their own.
/// With `at.mailboxes`, in a fiber: all messages of the call fit into them.
int execute_in_mailboxes(const Plan& plan, const Binding& b, const Endpoint& at, Workspace& w);
/// With `b.device`, which copies and reduces.
int execute_on_device(const Plan& plan, const Binding& b, const Endpoint& at, Workspace& w);
/// With `b.mirror`: in host memory whose contents arrive from a device meanwhile.
int execute_arriving(const Plan& plan, const Binding& b, const Endpoint& at, Workspace& w);
/// With `at.peers`: in host memory, among ranks whose buffers may be on devices that are peers.
int execute_beside_peers(const Plan& plan, const Binding& b, const Endpoint& at, Workspace& w);

}  // namespace hopbine::mpi
