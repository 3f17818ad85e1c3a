#include "mpi/execute.hpp"

#include <algorithm>
#include <cstring>

namespace hopbine::mpi {

namespace {

constexpr int kTag = 0;                           // one schedule at a time on a private communicator; order does the rest
constexpr std::int64_t kMostAtOnce = 1 << 30;     // of what a count of type int can say
constexpr std::int64_t kKeep = 256 << 20;         // scratch above this is not kept between calls

class Run {
public:
    Run(const Plan& plan, const Binding& b, MPI_Comm comm, Workspace& w) : plan_(plan), b_(b), comm_(comm), w_(w) {}

    int steps() {
        for (std::size_t s = 0; s + 1 < plan_.steps.size(); ++s) {
            const int e = step(plan_.messages.data() + plan_.steps[s], plan_.messages.data() + plan_.steps[s + 1], plan_.sends_first[s]);
            if (e != MPI_SUCCESS) return e;
        }
        return MPI_SUCCESS;
    }

private:
    const Piece* pieces(const Message& m) const { return plan_.pieces.data() + m.begin; }
    std::int64_t elements(const Piece& p) const { return b_.layout(p.first + p.count) - b_.layout(p.first); }
    std::int64_t elements(const Message& m) const {
        std::int64_t n = 0;
        for (std::uint32_t i = m.begin; i < m.end; ++i) n += elements(plan_.pieces[i]);
        return n;
    }
    char* address(const Piece& p) const { return b_.base[static_cast<int>(p.space)] + b_.layout(p.first) * b_.width; }

    /// Elements of one transfer: bounded by int, and by the segment where reduction overlaps transfer.
    std::int64_t cut(const Message& m) const {
        if (plan_.segment > 0 && m.mode == Mode::reduce) return std::max<std::int64_t>(1, std::min(plan_.segment, kMostAtOnce) / b_.width);
        return b_.plain() ? kMostAtOnce / b_.width : kMostAtOnce;
    }
    int count(std::int64_t n) const { return static_cast<int>(b_.plain() ? n * b_.width : n); }
    MPI_Datatype type() const { return b_.plain() ? MPI_BYTE : b_.reduction->type.handle; }

    int step(const Message* begin, const Message* end, bool sends_first) {
        staged_ = 0;
        reserve(begin, end);
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
            if (m->way == Way::send && (e = send(*m, sends == 1)) != MPI_SUCCESS) return e;
        // Adding may change what is still on its way out; copying never does (the check proves it).
        const std::size_t all = w_.requests.size();
        if (all > receives && sends_first)
            if ((e = wait(receives, all)) != MPI_SUCCESS) return e;
        for (const Received& r : w_.received)
            if ((e = take(r)) != MPI_SUCCESS) return e;
        return all > receives && !sends_first ? wait(receives, all) : MPI_SUCCESS;
    }

    /// One transfer, so that a blocking call of the MPI library does: several calls cost more where messages are small.
    bool short_enough(const Message& m) const {
        const std::int64_t n = elements(m);
        return n > 0 && n <= cut(m);
    }

    int lone(const Message& m) {
        const std::int64_t n = elements(m);
        if (m.way == Way::send) {
            const char* from = outgoing(m, n);
            return from ? PMPI_Send(from, count(n), type(), m.peer, kTag, comm_) : MPI_ERR_INTERN;
        }
        char* staged_at = staged(m) ? stage(n) : nullptr;
        const int e = PMPI_Recv(staged_at ? staged_at : address(pieces(m)[0]), count(n), type(), m.peer, kTag, comm_, MPI_STATUS_IGNORE);
        return e == MPI_SUCCESS ? place(m, staged_at) : e;
    }

    int exchange(const Message& out, const Message& in) {
        const std::int64_t n = elements(out), m = elements(in);
        const char* from = outgoing(out, n);
        if (!from) return MPI_ERR_INTERN;
        char* staged_at = staged(in) ? stage(m) : nullptr;
        const int e = PMPI_Sendrecv(from, count(n), type(), out.peer, kTag, staged_at ? staged_at : address(pieces(in)[0]), count(m), type(),
                                    in.peer, kTag, comm_, MPI_STATUS_IGNORE);
        return e == MPI_SUCCESS ? place(in, staged_at) : e;
    }

    int wait(std::size_t from, std::size_t to) {
        if (to - from == 1) return PMPI_Wait(&w_.requests[from], MPI_STATUS_IGNORE);
        return PMPI_Waitall(static_cast<int>(to - from), w_.requests.data() + from, MPI_STATUSES_IGNORE);
    }

    bool staged(const Message& m) const { return (m.way == Way::recv && m.mode == Mode::reduce) || m.end - m.begin > 1; }

    /// Staging is one buffer; it must not move while messages are in flight.
    void reserve(const Message* begin, const Message* end) {
        std::int64_t bytes = 0;
        for (const Message* m = begin; m != end; ++m)
            if (staged(*m)) bytes += room(elements(*m));
        if (bytes) staging_ = w_.staging.at_least(bytes);
    }
    /// An element's data may reach beyond its extent.
    std::int64_t room(std::int64_t n) const { return (n * b_.width + (b_.plain() ? 0 : b_.reduction->type.true_extent) + 63) / 64 * 64; }
    /// Where n elements can be staged: shifted so that the type's first byte falls on the buffer's.
    char* stage(std::int64_t n) {
        char* at = staging_ + staged_ - (b_.plain() ? 0 : b_.reduction->type.true_lb);
        staged_ += room(n);
        return at;
    }

    int post_receive(const Message& m) {
        const std::int64_t n = elements(m);
        if (n == 0) return MPI_SUCCESS;
        Received r{&m, staged(m) ? stage(n) : nullptr, n, w_.requests.size(), 0};
        char* to = r.staged ? r.staged : address(pieces(m)[0]);
        const int e = each_transfer(m, n, [&](std::int64_t from, std::int64_t some) {
            return PMPI_Irecv(to + from * b_.width, count(some), type(), m.peer, kTag, comm_, &w_.requests.emplace_back());
        });
        r.last_request = w_.requests.size();
        w_.received.push_back(r);
        return e;
    }

    int send(const Message& m, bool alone) {
        const std::int64_t n = elements(m);
        if (n == 0) return MPI_SUCCESS;
        const char* from = outgoing(m, n);
        if (!from) return MPI_ERR_INTERN;
        alone = alone && n <= cut(m) && m.end - m.begin == 1;
        return each_transfer(m, n, [&](std::int64_t at, std::int64_t some) {
            const char* data = from + at * b_.width;
            if (alone) return PMPI_Send(data, count(some), type(), m.peer, kTag, comm_);
            return PMPI_Isend(data, count(some), type(), m.peer, kTag, comm_, &w_.requests.emplace_back());
        });
    }

    /// Both sides cut a message alike, at `cut` elements.
    template <class F> int each_transfer(const Message& m, std::int64_t n, F&& transfer) {
        const std::int64_t most = cut(m);
        for (std::int64_t at = 0; at < n; at += most)
            if (const int e = transfer(at, std::min(most, n - at)); e != MPI_SUCCESS) return e;
        return MPI_SUCCESS;
    }

    int copy(char* to, const char* from, std::int64_t n) const {
        if (b_.reduction) return copy_elements(to, from, n, b_.reduction->type);
        std::memcpy(to, from, static_cast<std::size_t>(n));
        return MPI_SUCCESS;
    }

    const char* outgoing(const Message& m, std::int64_t n) { return staged(m) ? pack(m, n) : address(pieces(m)[0]); }

    const char* pack(const Message& m, std::int64_t n) {
        char* const at = stage(n);
        char* to = at;
        for (std::uint32_t i = m.begin; i < m.end; ++i) {
            const std::int64_t some = elements(plan_.pieces[i]);
            if (const int e = copy(to, address(plan_.pieces[i]), some); e != MPI_SUCCESS) return nullptr;
            to += some * b_.width;
        }
        return at;
    }

    /// Waits for one received message and puts it where it belongs.
    int take(const Received& r) {
        if (plan_.segment > 0 && r.message->mode == Mode::reduce && r.message->end - r.message->begin == 1) return take_segments(r);
        if (const int e = wait(r.first_request, r.last_request); e != MPI_SUCCESS) return e;
        return place(*r.message, r.staged);
    }

    /// Puts what was received into staging where it belongs.
    int place(const Message& m, char* from) {
        if (!from) return MPI_SUCCESS;
        for (std::uint32_t i = m.begin; i < m.end; ++i) {
            const std::int64_t n = elements(plan_.pieces[i]);
            if (n == 0) continue;
            char* to = address(plan_.pieces[i]);
            const int e = m.mode == Mode::reduce ? b_.reduction->apply(from, to, n, left(m)) : copy(to, from, n);
            if (e != MPI_SUCCESS) return e;
            from += n * b_.width;
        }
        return MPI_SUCCESS;
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

    /// Where order matters the lower rank is the left operand.
    bool left(const Message& m) const { return m.peer < plan_.rank; }

    const Plan& plan_;
    const Binding& b_;
    MPI_Comm comm_;
    Workspace& w_;
    char* staging_ = nullptr;
    std::int64_t staged_ = 0;
};

}  // namespace

void Workspace::trim() {
    for (Scratch* s : {&staging, &work, &temp, &packed_send, &packed_recv})
        if (s->capacity() > kKeep) s->release();
}

int execute(const Plan& plan, const Binding& b, MPI_Comm comm, Workspace& w) {
    const int e = Run(plan, b, comm, w).steps();
    w.trim();
    return e;
}

}  // namespace hopbine::mpi
