/// Messages that a sender announces to another rank of its node, which then knows how they come;
/// all others are the MPI library's.
#pragma once
#include <mpi.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "mpi/execute/mpi_transport.hpp"
#include "runtime/memory.hpp"

namespace hopbine::mpi {

/// Announced messages of a step of each channel. A rank knows only where its own buffers are:
///
/// - The sender sends a header: the data is in this buffer of its workspace, or comes by the MPI
///   library.
/// - The receiver copies from the buffer, and acknowledges. Its buffer is then free.
/// - A receiver that cannot copy from there refuses. Then the data comes by the MPI library too.
///
/// Headers and acknowledgements are received while any of the steps' messages is waited for, so
/// that a message completes as soon as both ranks are in the step, as a synchronous send does.
/// Those of a pair in one channel are handled in the order in which they were sent.
class PeerTransport : public MpiMessages {
public:
    /// `device`: works on this rank's buffers; null: they are the host's.
    PeerTransport(const Endpoint& at, const ElementType& type, std::int64_t stride,
                  MemoryWork* device)
        : MpiMessages(at, type, stride), peers_(*at.peers()), device_(device) {}

    bool single(const Message& m, std::int64_t n) const {
        return !announced(m, n) && MpiMessages::single(m, n);
    }
    bool may_block(const Message& m, std::int64_t n) const { return all_.empty() && single(m, n); }
    Begun begin_send(MessageUse use, const Message& m, int channel, const char* from,
                     std::int64_t n);
    Begun begin_receive(MessageUse use, const Message& m, int channel, char* to, std::int64_t n);
    template <class Done>
    void wait(Needed, const Done& done) {
        while (ended_.empty()) progress();
        for (const auto& [use, error] : std::exchange(ended_, {})) done(use, error);
    }
    /// A buffer in the workspace for a message from this rank's buffers; null: it is sent by the
    /// library.
    char* buffer(const Message& m, std::int64_t n) const {
        return announced(m, n) ? take_buffer(n) : nullptr;
    }
    /// Waits for acknowledgements in a channel (of Steps::channels); its next step begins.
    int end_step(std::uint32_t channel);

private:
    enum class State : std::uint8_t {
        announced,  ///< the header, or its acknowledgement, is to come
        moving,     ///< by the library
        here,       ///< received; the acknowledgement is under way
        over
    };
    struct Exchange {
        MessageUse use;
        int peer, channel;
        char* at;
        std::int64_t bytes, header;
        int acknowledgement = 0;
        int pending = 0;  ///< requests
        State state = State::announced;
        bool sends() const { return use.arriving < 0; }
    };
    /// Purpose of a request: of an exchange, or of a message of the library's.
    struct Purpose {
        Exchange* exchange;
        MessageUse use;
    };

    std::int64_t bytes(std::int64_t n) const { return n * stride_; }
    /// Whether a message is announced. Both ranks agree: it follows from the size alone.
    bool announced(const Message& m, std::int64_t n) const {
        return type_.handle == MPI_BYTE && peers_.announce(m.peer, bytes(n));
    }
    /// Whether this rank's device copies from and to workspaces in this call.
    bool copies() const { return device_ && peers_.own && device_->is_of(peers_.own->memory()); }
    char* take_buffer(std::int64_t n) const {
        return copies() ? peers_.own->take(bytes(n)) : nullptr;
    }
    /// Tags of what is sent of a message, at the peer and at this rank.
    int tag_of(const Exchange& e, Announced what) const {
        return at_.tag_of(e.peer, announced_channel(what, e.channel));
    }
    int own_tag(const Exchange& e, Announced what) const {
        return at_.own_tag(announced_channel(what, e.channel));
    }
    bool in_buffer(const char* from) const { return peers_.own && peers_.own->has(from); }
    const char* brought(const char* from, std::int64_t n);
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

    const Peers& peers_;
    MemoryWork* const device_;
    /// In the order in which they were begun. Their addresses stay: the MPI library has them.
    std::vector<std::unique_ptr<Exchange>> all_;
    Outstanding<Purpose> requests_;
    std::vector<Exchange*> to_acknowledge_;
    std::vector<std::pair<MessageUse, int>> ended_;  ///< with their errors; wait() tells of them
    int error_ = MPI_SUCCESS;
};

}  // namespace hopbine::mpi
