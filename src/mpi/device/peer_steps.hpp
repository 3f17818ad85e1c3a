/// Runs step by step, with messages that are announced to peers.
#pragma once
#include "mpi/device/peer_messages.hpp"
#include "mpi/execute/step_by_step.hpp"
#include "runtime/peers.hpp"

namespace hopbine::mpi {

/// For calls that may have peers; `Derived` as in StepByStep.
template <class Derived>
class PeerSteps : public StepByStep<Derived> {
public:
    PeerSteps(const Plan& plan, const Binding& b, const Endpoint& at, Workspace& w)
        : Base(plan, b, at, w), messages_(at, b.device) {}

    void begin_send(const Message& m, std::int64_t n, const char* from) {
        if (!announced(m)) return Base::begin_send(m, n, from);
        messages_.send(m.peer, brought(from, bytes(n)), bytes(n), this->w_.requests);
    }
    int begin_receive(const Message& m, std::int64_t n, char* to) {
        return announced(m) ? messages_.receive(m.peer, to, bytes(n))
                            : Base::begin_receive(m, n, to);
    }
    void await(const Received& r) {
        if (r.number) return messages_.await(r.number);
        wait(r.first_request, r.last_request);
    }
    void wait(std::size_t from, std::size_t to) {
        if (messages_.none()) return Base::wait(from, to);
        for (std::size_t i = from; i < to; ++i) messages_.wait(this->w_.requests[i]);
    }
    bool may_block(const Message& m) const { return messages_.none() && !announced(m); }
    void end_step() {
        if (!messages_.none()) this->keep(messages_.end_step());
    }
    bool short_enough(const Message& m, std::int64_t n) const {
        return !announced(m) && Base::short_enough(m, n);
    }

protected:
    /// The address from which a message is sent: a buffer in the workspace where that is possible.
    const char* outgoing_to_peer(const Message& m, std::int64_t n) {
        char* const buffer = announced(m) ? messages_.buffer(bytes(n)) : nullptr;
        return buffer ? this->pack(m, buffer) : this->outgoing(m, n, this->stage_);
    }

private:
    using Base = StepByStep<Derived>;

    std::int64_t bytes(std::int64_t n) const { return n * this->b_.width; }
    /// Whether a message is announced. Both ranks agree: it follows from the size alone.
    bool announced(const Message& m) const {
        return this->at_.peers && this->b_.plain() &&
               this->at_.peers->announce(m.peer, bytes(this->elements(m)));
    }
    /// The data in a buffer, or where it is.
    const char* brought(const char* from, std::int64_t bytes) {
        char* const buffer = messages_.in_buffer(from) ? nullptr : messages_.buffer(bytes);
        if (!buffer) return from;
        this->keep(this->b_.device->copy(buffer, from, bytes));
        this->keep(this->b_.device->wait());
        return buffer;
    }

    PeerMessages messages_;
};

}  // namespace hopbine::mpi
