/// A plan of steps, run on one call's buffers.
#pragma once
#include <utility>

#include "mpi/execute/execute.hpp"
#include "mpi/execute/transfer.hpp"
#include "mpi/execute/wait.hpp"

namespace hopbine::mpi {

/// Runs step by step: a step starts when all messages of the one before have completed.
/// `Derived` is in an anonymous namespace. So each file has a copy of its own, in which the
/// compiler inlines what is called once: without that an allreduce of 8 bytes takes 0.02 us more. A
/// function of `Derived` replaces the one of the same name here.
template <class Derived>
class StepByStep : protected Transfers {
public:
    StepByStep(const Plan& plan, const Binding& b, const Endpoint& at, Workspace& w)
        : Transfers(plan, b, at), w_(w) {}

    int steps() {
        for (std::size_t s = 0, all = plan_.step_count(); s < all; ++s) {
            const StepView now = plan_.step(s, w_.step);
            pieces_ = now.pieces;
            if (is_direct(s))
                direct(now.begin, now.end);
            else
                step(now);
        }
        return error_;
    }

protected:
    Derived& self() { return static_cast<Derived&>(*this); }

    // What `Derived` may replace. These are for memory of the host.
    /// Ends other work, before a transfer reads or overwrites what it works on.
    void settle() {}
    /// Packs what the step sends, before it is posted.
    void pack_all(const Message*, const Message*) {}
    /// The address from which the next message is sent; null: packing failed.
    const char* packed(const Message& m, std::int64_t n) { return outgoing(m, n, stage_); }
    /// Begins to send and to receive a message. begin_receive() returns what await() needs to know.
    void begin_send(const Message& m, std::int64_t n, const char* from) {
        keep(send(m, n, from, kDataChannel, w_.requests));
    }
    int begin_receive(const Message& m, std::int64_t n, char* to) {
        keep(receive(m, n, to, kDataChannel, w_.requests));
        return 0;
    }
    /// Waits for a received message.
    void await(const Received& r) { self().wait(r.first_request, r.last_request); }
    /// Waits for the requests of a step, one by one: an error of one leaves none of the others in
    /// flight.
    void wait(std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i)
            keep(mpi::wait(&w_.requests[i], MPI_STATUS_IGNORE, at_));
    }
    /// Whether nothing else of the step needs this rank while it sends the message.
    bool may_block(const Message&) const { return true; }
    /// Waits for what the step has besides its requests.
    void end_step() {}
    /// Whether the message is a single transfer, for one blocking MPI call: several calls cost more
    /// where messages are small.
    bool short_enough(const Message&, std::int64_t n) const { return sent(n) && one_transfer(n); }
    /// Puts what is received in its place, message by message.
    void take_all() {
        for (std::size_t i = 0; i < w_.received.size(); ++i) take(i);
    }

    bool is_direct(std::size_t s) const {
        return b_.own && static_cast<int>(s) == plan_.direct_step;
    }
    void step(const StepView& now) {
        const auto [begin, end] = std::pair(now.begin, now.end);
        if (b_.copies) keep(b_.copies->before(now));
        // Staging is one buffer; it must not move while messages are in flight.
        stage_.used = 0;
        if (const std::int64_t bytes = room(begin, end)) stage_.begin = w_.staging.at_least(bytes);
        if (!b_.copies && at_once(begin, end)) return;
        w_.requests.clear();
        w_.received.clear();
        self().pack_all(begin, end);
        int sends = 0;
        for (const Message* m = begin; m != end; ++m) {
            if (m->direction == Direction::send)
                ++sends;
            else
                post_receive(*m);
        }
        const std::size_t receives = w_.requests.size();
        for (const Message* m = begin; m != end; ++m)
            if (m->direction == Direction::send)
                post_send(*m, sends == 1 && !b_.copies && self().may_block(*m));
        if (b_.copies) keep(b_.copies->in_flight(now));
        // A reduction may change a block that is still being sent; a copy never does (the check
        // proves it).
        const std::size_t all = w_.requests.size();
        if (now.sends_first) self().wait(receives, all);
        self().take_all();
        if (!now.sends_first) self().wait(receives, all);
        self().end_step();
    }

    /// Runs a step of one short message, or of one each way, by a single MPI call. False: it is no
    /// such step.
    bool at_once(const Message* begin, const Message* end) {
        const auto messages = end - begin;
        if (messages != 1 && messages != 2) return false;
        const std::int64_t n = elements(*begin);
        if (!self().short_enough(*begin, n)) return false;
        if (messages == 1) {
            keep(lone(*begin, n));
            return true;
        }
        if (begin->direction == begin[1].direction) return false;
        const std::int64_t m = elements(begin[1]);
        if (!self().short_enough(begin[1], m)) return false;
        keep(begin->direction == Direction::send ? exchange(*begin, n, begin[1], m)
                                                 : exchange(begin[1], m, *begin, n));
        return true;
    }

    /// Receives the contribution in its place and adds the rank's own from the user's buffer: the
    /// vector is not copied.
    void direct(const Message* begin, const Message* end) {
        self().settle();
        const Message& in = direct_contribution(plan_);
        const std::int64_t n = elements(in);
        const auto mine = [&](const Message& m) {
            return b_.own + b_.layout(pieces(m)[0].first) * b_.width;
        };
        const Message& out = begin->direction == Direction::send ? *begin : end[-1];
        const std::int64_t m = elements(out);
        if (end - begin == 1 && self().short_enough(in, n)) {
            keep(receive_now(in, n, b_.base[0]));
        } else if (end - begin == 2 && self().short_enough(in, n) && self().short_enough(out, m)) {
            keep(exchange_now(out, m, mine(out), in, n, b_.base[0]));
        } else {
            w_.requests.clear();
            self().begin_receive(in, n, b_.base[0]);
            for (const Message* m = begin; m != end; ++m)
                if (m->direction == Direction::send) self().begin_send(*m, elements(*m), mine(*m));
            self().wait(0, w_.requests.size());
            self().end_step();
        }
        keep(add(b_.own, b_.base[0], n, plan_.rank < in.peer));
    }

    int send_now(const Message& m, std::int64_t n, const char* from) const {
        return mpi::send(from, count(n), type(), m.peer, kDataChannel, at_);
    }
    int receive_now(const Message& m, std::int64_t n, char* to) const {
        return mpi::receive(to, count(n), type(), m.peer, kDataChannel, at_);
    }
    int exchange_now(const Message& out, std::int64_t n, const char* from, const Message& in,
                     std::int64_t m, char* to) const {
        return mpi::exchange({from, count(n), out.peer}, {to, count(m), in.peer}, type(),
                             kDataChannel, at_);
    }

    int lone(const Message& m, std::int64_t n) {
        if (m.direction == Direction::send) {
            const char* from = outgoing(m, n, stage_);
            self().settle();
            return from || n == 0 ? send_now(m, n, from) : MPI_ERR_INTERN;
        }
        char* staged_at = staged(m) ? stage(stage_, n) : nullptr;
        self().settle();
        const int e = receive_now(m, n, staged_at ? staged_at : address(pieces(m)[0]));
        return e == MPI_SUCCESS ? place(m, staged_at) : e;
    }

    int exchange(const Message& out, std::int64_t n, const Message& in, std::int64_t m) {
        const char* from = outgoing(out, n, stage_);
        if (!from && n > 0) return MPI_ERR_INTERN;
        char* staged_at = staged(in) ? stage(stage_, m) : nullptr;
        self().settle();
        const int e =
            exchange_now(out, n, from, in, m, staged_at ? staged_at : address(pieces(in)[0]));
        return e == MPI_SUCCESS ? place(in, staged_at) : e;
    }

    void post_receive(const Message& m) {
        const std::int64_t n = elements(m);
        if (!sent(n)) return;
        Received r{&m, staged(m) ? stage(stage_, n) : nullptr, n, w_.requests.size(), 0, 0};
        r.number = self().begin_receive(m, n, r.staged ? r.staged : address(pieces(m)[0]));
        r.last_request = w_.requests.size();
        w_.received.push_back(r);
    }

    void post_send(const Message& m, bool alone) {
        const std::int64_t n = elements(m);
        if (!sent(n)) return;
        const char* const from = self().packed(m, n);
        if (!from && n > 0) return keep(MPI_ERR_INTERN);
        if (alone && one_transfer(n) && m.end - m.begin == 1) return keep(send_now(m, n, from));
        self().begin_send(m, n, from);
    }

    /// Waits for one received message and puts it in its place. First adds the message before to it
    /// where that one is `onward`.
    void take(std::size_t i) {
        const Received& r = w_.received[i];
        const bool joins = i > 0 && w_.received[i - 1].message->onward;
        self().await(r);
        if (joins) keep(pass_on(w_.received[i - 1].staged, r.staged, r.elements));
        if (!r.message->onward) keep(place(*r.message, r.staged));
    }

    Workspace& w_;
    Stage stage_;
};

}  // namespace hopbine::mpi
