/// Messages that a sender announces to another rank of its node, which then knows how they come.
#pragma once
#include <mpi.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "mpi/execute/endpoint.hpp"
#include "mpi/execute/memory.hpp"
#include "mpi/execute/outstanding.hpp"

namespace hopbine::mpi {

/// Announced messages of one step. A rank knows only where its own buffers are:
///
/// - The sender sends a header: the data is in this buffer of its workspace, or comes by the MPI
///   library.
/// - The receiver copies from the buffer, and acknowledges. Its buffer is then free.
/// - A receiver that cannot copy from there refuses. Then the data comes by the MPI library too.
///
/// Headers and acknowledgements are received while any of the step's messages is waited for, so
/// that a message completes as soon as both ranks are in the step, as a synchronous send does.
/// Those of a pair are handled in the order in which they were sent.
class PeerMessages {
public:
    /// `device`: works on this rank's buffers; null: they are the host's.
    PeerMessages(const Endpoint& at, MemoryWork* device) : at_(at), device_(device) {}

    /// A buffer for a message from this rank's buffers; null: it is sent by the library.
    char* buffer(std::int64_t bytes) const;
    bool in_buffer(const char* from) const;
    /// Begins to send what is at `from`, which may be a buffer: the device's work on it has ended.
    /// Until the requests that it appends are complete the memory is the message's.
    void send(int peer, const char* from, std::int64_t bytes, std::vector<MPI_Request>& requests);
    /// Begins to receive. Returns the message's number, of at least 1.
    int receive(int peer, char* to, std::int64_t bytes);

    /// Whether no message is announced in this step.
    bool none() const { return all_.empty(); }
    /// Waits until a received message is where it belongs, for the device's work.
    void await(int received);
    /// Waits for another request of the step.
    void wait(MPI_Request& other);
    /// Waits for all messages; the next step begins. Returns the first MPI error code so far.
    int end_step();

private:
    enum class State : std::uint8_t {
        announced,  ///< the header, or its acknowledgement, is to come
        moving,     ///< by the library
        here,       ///< received; the acknowledgement is under way
        over
    };
    struct Exchange {
        bool sends = false;
        int peer = 0;
        char* at = nullptr;
        std::int64_t bytes = 0, header = 0;
        int acknowledgement = 0;
        int pending = 0;  ///< requests
        State state = State::announced;
    };
    /// Whether this rank's device copies from and to workspaces in this call.
    bool copies() const;
    Exchange& add(Exchange e) {
        return *all_.emplace_back(std::make_unique<Exchange>(std::move(e)));
    }
    template <class Post>
    void post(Exchange& e, const Post& begin);
    void progress();
    bool is_next(const Exchange& e) const;
    bool take(Exchange& e);
    void acknowledge(Exchange& e);
    void acknowledged(Exchange& e);
    void end(Exchange& e);
    void keep(int error) {
        if (error_ == MPI_SUCCESS) error_ = error;
    }

    const Endpoint& at_;
    MemoryWork* const device_;
    /// In the order in which they were begun. Their addresses stay: the MPI library has them.
    std::vector<std::unique_ptr<Exchange>> all_;
    Outstanding<Exchange*> requests_;
    std::vector<Exchange*> to_acknowledge_;
    Exchange other_{};  ///< what stands for a request of others
    int error_ = MPI_SUCCESS;
};

}  // namespace hopbine::mpi
