#include "mpi/execute.hpp"

#include "mpi/transfer.hpp"

namespace hopbine::mpi {

namespace {

constexpr int kTag = 0;                           // that of channel 0; one schedule at a time on a private communicator, order does the rest
constexpr std::int64_t kKeep = 256 << 20;         // scratch above this is not kept between calls

/// Step by step: the next one begins when all messages of the last are over.
class Run : Transfers {
public:
    Run(const Plan& plan, const Binding& b, MPI_Comm comm, Workspace& w) : Transfers(plan, b, comm), w_(w) {}

    int steps() {
        for (std::size_t s = 0; s + 1 < plan_.steps.size(); ++s) {
            const Message *begin = plan_.messages.data() + plan_.steps[s], *end = plan_.messages.data() + plan_.steps[s + 1];
            const int e = b_.own && static_cast<int>(s) == plan_.straight ? straight(begin, end) : step(begin, end, plan_.sends_first[s]);
            if (e != MPI_SUCCESS) return e;
        }
        return MPI_SUCCESS;
    }

private:
    int step(const Message* begin, const Message* end, bool sends_first) {
        // Staging is one buffer; it must not move while messages are in flight.
        stage_.used = 0;
        if (const std::int64_t bytes = room(begin, end)) stage_.begin = w_.staging.at_least(bytes);
        if (end - begin == 1 && short_enough(*begin)) return lone(*begin);
        if (end - begin == 2 && begin->way != begin[1].way && short_enough(*begin) && short_enough(begin[1]))
            return begin->way == Way::send ? exchange(*begin, begin[1]) : exchange(begin[1], *begin);
        w_.requests.clear();
        w_.received.clear();
        int sends = 0, e;
        for (const Message* m = begin; m != end; ++m) {
            if (m->way == Way::send) ++sends;
            else if ((e = post_receive(*m)) != MPI_SUCCESS) return e;
        }
        const std::size_t receives = w_.requests.size();
        for (const Message* m = begin; m != end; ++m)
            if (m->way == Way::send && (e = post_send(*m, sends == 1)) != MPI_SUCCESS) return e;
        // Adding may change what is still on its way out; copying never does (the check proves it).
        const std::size_t all = w_.requests.size();
        if (all > receives && sends_first)
            if ((e = wait(receives, all)) != MPI_SUCCESS) return e;
        for (std::size_t i = 0; i < w_.received.size(); ++i)
            if ((e = take(i)) != MPI_SUCCESS) return e;
        return all > receives && !sends_first ? wait(receives, all) : MPI_SUCCESS;
    }

    /// What arrives goes to its place and what the rank has is added from where the user has it: the vector is copied nowhere.
    int straight(const Message* begin, const Message* end) {
        const Message& in = straight_contribution(plan_);
        const std::int64_t n = elements(in);
        const auto mine = [&](const Message& m) { return b_.own + b_.layout(pieces(m)[0].first) * b_.width; };
        int e;
        if (end - begin == 1 && short_enough(in)) {
            e = PMPI_Recv(b_.base[0], count(n), type(), in.peer, kTag, comm_, MPI_STATUS_IGNORE);
        } else if (const Message& out = begin->way == Way::send ? *begin : end[-1]; end - begin == 2 && short_enough(in) && short_enough(out)) {
            e = PMPI_Sendrecv(mine(out), count(elements(out)), type(), out.peer, kTag, b_.base[0], count(n), type(), in.peer, kTag, comm_, MPI_STATUS_IGNORE);
        } else {
            w_.requests.clear();
            e = receive(in, n, b_.base[0], kTag, w_.requests);
            for (const Message* m = begin; m != end && e == MPI_SUCCESS; ++m)
                if (m->way == Way::send) e = send(*m, elements(*m), mine(*m), kTag, w_.requests);
            if (e == MPI_SUCCESS) e = wait(0, w_.requests.size());
        }
        return e == MPI_SUCCESS ? b_.reduction->apply(b_.own, b_.base[0], n, plan_.rank < in.peer) : e;
    }

    /// One transfer, so that a blocking call of the MPI library does: several calls cost more where messages are small.
    bool short_enough(const Message& m) const {
        const std::int64_t n = elements(m);
        return n > 0 && n <= cut(m);
    }

    int lone(const Message& m) {
        const std::int64_t n = elements(m);
        if (m.way == Way::send) {
            const char* from = outgoing(m, n, stage_);
            return from ? PMPI_Send(from, count(n), type(), m.peer, kTag, comm_) : MPI_ERR_INTERN;
        }
        char* staged_at = staged(m) ? stage(stage_, n) : nullptr;
        const int e = PMPI_Recv(staged_at ? staged_at : address(pieces(m)[0]), count(n), type(), m.peer, kTag, comm_, MPI_STATUS_IGNORE);
        return e == MPI_SUCCESS ? place(m, staged_at) : e;
    }

    int exchange(const Message& out, const Message& in) {
        const std::int64_t n = elements(out), m = elements(in);
        const char* from = outgoing(out, n, stage_);
        if (!from) return MPI_ERR_INTERN;
        char* staged_at = staged(in) ? stage(stage_, m) : nullptr;
        const int e = PMPI_Sendrecv(from, count(n), type(), out.peer, kTag, staged_at ? staged_at : address(pieces(in)[0]), count(m), type(),
                                    in.peer, kTag, comm_, MPI_STATUS_IGNORE);
        return e == MPI_SUCCESS ? place(in, staged_at) : e;
    }

    int wait(std::size_t from, std::size_t to) {
        if (to - from == 1) return PMPI_Wait(&w_.requests[from], MPI_STATUS_IGNORE);
        return PMPI_Waitall(static_cast<int>(to - from), w_.requests.data() + from, MPI_STATUSES_IGNORE);
    }

    int post_receive(const Message& m) {
        const std::int64_t n = elements(m);
        if (n == 0) return MPI_SUCCESS;
        Received r{&m, staged(m) ? stage(stage_, n) : nullptr, n, w_.requests.size(), 0};
        const int e = receive(m, n, r.staged ? r.staged : address(pieces(m)[0]), kTag, w_.requests);
        r.last_request = w_.requests.size();
        w_.received.push_back(r);
        return e;
    }

    int post_send(const Message& m, bool alone) {
        const std::int64_t n = elements(m);
        if (n == 0) return MPI_SUCCESS;
        const char* from = outgoing(m, n, stage_);
        if (!from) return MPI_ERR_INTERN;
        if (alone && n <= cut(m) && m.end - m.begin == 1) return PMPI_Send(from, count(n), type(), m.peer, kTag, comm_);
        return send(m, n, from, kTag, w_.requests);
    }

    /// Waits for one received message and puts it where it belongs, with those that were to be added to it.
    int take(std::size_t i) {
        const Received& r = w_.received[i];
        const bool joins = i > 0 && w_.received[i - 1].message->onward;
        if (plan_.segment > 0 && r.message->mode == Mode::reduce && r.message->end - r.message->begin == 1 && !joins && !r.message->onward) return take_segments(r);
        if (const int e = wait(r.first_request, r.last_request); e != MPI_SUCCESS) return e;
        if (joins)
            if (const int e = pass_on(w_.received[i - 1].staged, r.staged, r.elements); e != MPI_SUCCESS) return e;
        return r.message->onward ? MPI_SUCCESS : place(*r.message, r.staged);
    }

    /// Adds segment k while k+1 is on its way.
    int take_segments(const Received& r) {
        const std::int64_t most = cut(*r.message);
        char* to = address(pieces(*r.message)[0]);
        std::size_t request = r.first_request;
        for (std::int64_t at = 0; at < r.elements; at += most, ++request) {
            if (const int e = wait(request, request + 1); e != MPI_SUCCESS) return e;
            const int e = b_.reduction->apply(r.staged + at * b_.width, to + at * b_.width, std::min(most, r.elements - at), left(*r.message));
            if (e != MPI_SUCCESS) return e;
        }
        return MPI_SUCCESS;
    }

    Workspace& w_;
    Stage stage_;
};

}  // namespace

void Workspace::trim() {
    for (Scratch* s : {&staging, &work, &temp, &packed_send, &packed_recv})
        if (s->capacity() > kKeep) s->release();
    nonuniform.trim(kKeep);
}

int execute(const Plan& plan, const Binding& b, MPI_Comm comm, Workspace& w) {
    const int e = plan.lanes.empty() ? Run(plan, b, comm, w).steps() : run_lanes(plan, b, comm, w.staging, w.lanes);
    w.trim();
    return e;
}

}  // namespace hopbine::mpi
