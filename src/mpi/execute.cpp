#include "mpi/execute.hpp"

#include <algorithm>
#include <cstring>

namespace hopbine::mpi {

namespace {

constexpr int kTag = 0;                           // one schedule at a time on a private communicator; order does the rest
constexpr std::int64_t kMostAtOnce = 1 << 30;     // of what a count of type int can say
constexpr std::int64_t kKeep = 256 << 20;         // scratch above this is not kept between calls

struct Received {
    const Message* message;
    char* staged;
    std::int64_t elements;
    std::size_t first_request, last_request;
};

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
        if (plan_.segment > 0 && m.mode == Mode::reduce) return std::clamp<std::int64_t>(plan_.segment / b_.width, 1, kMostAtOnce / b_.width);
        return b_.plain() ? kMostAtOnce / b_.width : kMostAtOnce;
    }
    int count(std::int64_t n) const { return static_cast<int>(b_.plain() ? n * b_.width : n); }
    MPI_Datatype type() const { return b_.plain() ? MPI_BYTE : b_.reduction->type.handle; }

    int step(const Message* begin, const Message* end, bool sends_first) {
        w_.requests.clear();
        received_.clear();
        staged_ = 0;
        reserve(begin, end);
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
        for (const Received& r : received_)
            if ((e = take(r)) != MPI_SUCCESS) return e;
        return all > receives && !sends_first ? wait(receives, all) : MPI_SUCCESS;
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
        received_.push_back(r);
        return e;
    }

    int send(const Message& m, bool alone) {
        const std::int64_t n = elements(m);
        if (n == 0) return MPI_SUCCESS;
        const char* from = staged(m) ? pack(m, n) : address(pieces(m)[0]);
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
        if (!r.staged) return MPI_SUCCESS;
        char* from = r.staged;
        for (std::uint32_t i = r.message->begin; i < r.message->end; ++i) {
            const std::int64_t n = elements(plan_.pieces[i]);
            if (n == 0) continue;
            char* to = address(plan_.pieces[i]);
            const int e = r.message->mode == Mode::reduce ? b_.reduction->apply(from, to, n, left(r)) : copy(to, from, n);
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
            const int e = b_.reduction->apply(r.staged + at * b_.width, to + at * b_.width, std::min(most, r.elements - at), left(r));
            if (e != MPI_SUCCESS) return e;
        }
        return MPI_SUCCESS;
    }

    /// Where order matters the lower rank is the left operand.
    bool left(const Received& r) const { return r.message->peer < plan_.rank; }

    const Plan& plan_;
    const Binding& b_;
    MPI_Comm comm_;
    Workspace& w_;
    std::vector<Received>& received_ = received();
    char* staging_ = nullptr;
    std::int64_t staged_ = 0;

    /// Kept per thread, so that a call allocates nothing.
    static std::vector<Received>& received() {
        thread_local std::vector<Received> kept;
        return kept;
    }
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
