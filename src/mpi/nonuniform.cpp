#include "mpi/nonuniform.hpp"

#include "mpi/letters.hpp"
#include "mpi/try.hpp"

namespace hopbine::mpi {

namespace {

constexpr int kTag = 0, kRestTag = 1;  // a rest may be awaited later than the first part of the next message
using Incoming = NonuniformWorkspace::Incoming;

class Run : Letters {
public:
    Run(const Plan& plan, const Side& send, const Side& recv, MPI_Comm comm, NonuniformWorkspace& w) : Letters(plan, send, recv, w.held), comm_(comm), w_(w) {}

    int steps() {
        w_.held.begin(plan_.temp_slots);
        plan_.lengths.resize(plan_.messages.size());
        if (plan_.wire == Wire::padded) HOPBINE_TRY(find_largest());
        for (std::size_t s = 0; s + 1 < plan_.steps.size(); ++s)
            HOPBINE_TRY(step(plan_.messages.data() + plan_.steps[s], plan_.messages.data() + plan_.steps[s + 1]));
        w_.peak = need_[kFirsts] + need_[kRests] + need_[kOut] + w_.held.needed();
        return mismatch_;
    }

private:
    int find_largest() {
        int p = 0;
        PMPI_Comm_size(comm_, &p);
        for (int b = 0; b < p; ++b) largest = std::max(largest, send_.bytes(b));
        return PMPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_INT64_T, MPI_MAX, comm_);
    }

    int step(const Message* begin, const Message* end) {
        w_.requests.clear();
        w_.incoming.clear();
        HOPBINE_TRY(post_receives(begin, end));
        const std::size_t receives = w_.requests.size();
        HOPBINE_TRY(post_sends(begin, end));
        HOPBINE_TRY(wait(0, receives));
        HOPBINE_TRY(post_rests());
        HOPBINE_TRY(wait(receives, w_.requests.size()));
        return place();
    }

    int post_receives(const Message* begin, const Message* end) {
        std::int64_t room_for_all = 0;
        for (const Message* m = begin; m != end; ++m)
            if (m->way == Way::recv && !direct(*m)) room_for_all += lines(head(*m) + room(*m));
        char* at = stage(w_.firsts, kFirsts, room_for_all);
        for (const Message* m = begin; m != end; ++m) {
            if (m->way == Way::send || nothing(*m)) continue;
            w_.incoming.push_back({m, w_.requests.size()});
            if (direct(*m)) {
                HOPBINE_TRY(transfer(*m));
                continue;
            }
            w_.incoming.back().staged = at;
            HOPBINE_TRY(receive(at, head(*m) + room(*m), m->peer, kTag));
            at += lines(head(*m) + room(*m));
        }
        return MPI_SUCCESS;
    }

    int post_sends(const Message* begin, const Message* end) {
        std::int64_t room_for_all = 0;
        for (const Message* m = begin; m != end; ++m)
            if (m->way == Way::send && !direct(*m)) room_for_all += lines(head(*m) + outgoing(*m));
        char* at = stage(w_.out, kOut, room_for_all);
        for (const Message* m = begin; m != end; ++m) {
            if (m->way == Way::recv || nothing(*m)) continue;
            HOPBINE_TRY(direct(*m) ? transfer(*m) : send_packed(*m, at));
            if (!direct(*m)) at += lines(head(*m) + length(*m));
        }
        return MPI_SUCCESS;
    }

    std::int64_t outgoing(const Message& m) const {
        std::int64_t bytes = 0;
        each_block(m, [&](Space space, std::int64_t at) { bytes += travelling(m, size(space, at)); });
        return bytes;
    }

    /// From or to the user's buffer, in the user's own type: at the other end it may be another with the same signature.
    int transfer(const Message& m) {
        const Side& user = side(m);
        const std::int64_t bytes = user.bytes(m.peer);
        char* const at = user.at(m.peer);
        const bool sends = m.way == Way::send;
        if (bytes > kMostAtOnce) return sends ? send(at, bytes, m.peer, kTag) : receive(at, bytes, m.peer, kTag);
        const int count = static_cast<int>(user.count(m.peer));
        return sends ? PMPI_Isend(at, count, user.type().handle, m.peer, kTag, comm_, &w_.requests.emplace_back())
                     : PMPI_Irecv(at, count, user.type().handle, m.peer, kTag, comm_, &w_.requests.emplace_back());
    }

    int send_packed(const Message& m, char* const begin) {
        char *to = begin + head(m), *split = nullptr;
        const std::int64_t first = room(m);
        char* sizes = known(m) ? begin : std::copy_n(reinterpret_cast<const char*>(&w_.busiest), kWord, begin);
        int error = MPI_SUCCESS;
        each_block(m, [&](Space space, std::int64_t at) {
            const std::int64_t bytes = size(space, at), taken = travelling(m, bytes);
            if (!known(m)) sizes = std::copy_n(reinterpret_cast<const char*>(&bytes), kWord, sizes);
            if (!split && to + taken - begin - head(m) > first) split = to;
            if (space == Space::temp) {
                std::copy_n(w_.held.data(at), bytes, to);
                w_.held.let_go(at);
            } else if (const int e = send_.pack(static_cast<int>(at), to); e != MPI_SUCCESS) {
                error = e;
            }
            std::fill(to + bytes, to + taken, '\0');
            to += taken;
        });
        if (error != MPI_SUCCESS) return error;
        length(m) = to - begin - head(m);
        if (!split) split = to;
        HOPBINE_TRY(send(begin, split - begin, m.peer, kTag));
        return send(split, to - split, m.peer, kRestTag);
    }

    /// Calls f(space, at, bytes, in the rest?, offset) for every block of a message whose head is here; offsets are from the end of the head, or from the rest's beginning.
    template <class F> void each_arrived(const Incoming& in, F&& f) const {
        const Message& m = *in.message;
        const std::int64_t first = room(m);
        std::int64_t offset = 0;
        const char* sizes = in.staged + kWord;
        bool rest = false;
        each_block(m, [&](Space space, std::int64_t at) {
            std::int64_t bytes = known_size(m);
            if (!known(m)) {
                std::memcpy(&bytes, sizes, kWord);
                sizes += kWord;
            }
            if (!rest && offset + bytes > first) {
                rest = true;
                offset = 0;
            }
            f(space, at, bytes, rest, offset);
            offset += bytes;
        });
    }

    /// The heads are here: what did not fit follows.
    int post_rests() {
        std::int64_t room_for_all = 0;
        for (Incoming& in : w_.incoming) {
            if (!in.staged || known(*in.message)) continue;
            std::int64_t first = 0;
            each_arrived(in, [&](Space, std::int64_t, std::int64_t bytes, bool rest, std::int64_t) { (rest ? in.rest_bytes : first) += bytes; });
            int got = 0;
            PMPI_Get_count(&w_.statuses[in.request], MPI_BYTE, &got);
            if (got != head(*in.message) + first) return MPI_ERR_INTERN;
            in.rest = room_for_all;
            room_for_all += lines(in.rest_bytes);
        }
        rests_ = stage(w_.rests, kRests, room_for_all);
        for (const Incoming& in : w_.incoming) HOPBINE_TRY(receive(rests_ + in.rest, in.rest_bytes, in.message->peer, kRestTag));
        return MPI_SUCCESS;
    }

    /// Everything is here: into the receive buffer, or held until it goes on.
    int place() {
        std::int64_t passing = 0;
        for (const Incoming& in : w_.incoming)
            if (in.staged)
                each_arrived(in, [&](Space space, std::int64_t, std::int64_t bytes, bool, std::int64_t) { passing += space == Space::temp ? bytes : 0; });
        w_.held.expect(passing);
        for (const Incoming& in : w_.incoming) {
            HOPBINE_TRY(in.staged ? place(in) : check(in));
            if (head(*in.message) == 0) continue;
            std::int64_t told = 0;
            std::memcpy(&told, in.staged, kWord);
            w_.busiest = std::max(w_.busiest, told);
        }
        return MPI_SUCCESS;
    }

    int place(const Incoming& in) {
        std::int64_t all = 0;
        int error = MPI_SUCCESS;
        each_arrived(in, [&](Space space, std::int64_t at, std::int64_t bytes, bool rest, std::int64_t offset) {
            const char* from = rest ? rests_ + in.rest + offset : in.staged + head(*in.message) + offset;
            all += bytes;
            if (space == Space::temp) return w_.held.put(at, from, bytes);
            const std::int64_t wanted = recv_.bytes(static_cast<int>(at));
            if (plan_.wire == Wire::padded ? wanted > bytes : wanted != bytes) mismatch_ = MPI_ERR_TRUNCATE;
            else if (const int e = recv_.unpack(static_cast<int>(at), from); e != MPI_SUCCESS) error = e;
        });
        length(*in.message) = all;
        return error;
    }

    /// Did a bare block have the size that this rank reckoned with? Longer ones are errors of their transfers.
    int check(const Incoming& in) {
        const Side& user = side(*in.message);
        int got = 0;
        if (user.bytes(in.message->peer) > kMostAtOnce) return MPI_SUCCESS;
        PMPI_Get_count(&w_.statuses[in.request], user.type().handle, &got);
        if (got != user.count(in.message->peer)) mismatch_ = MPI_ERR_TRUNCATE;
        return MPI_SUCCESS;
    }

    int send(const char* from, std::int64_t n, int peer, int tag) {
        for (std::int64_t at = 0; at < n; at += kMostAtOnce)
            HOPBINE_TRY(PMPI_Isend(from + at, static_cast<int>(std::min(kMostAtOnce, n - at)), MPI_BYTE, peer, tag, comm_, &w_.requests.emplace_back()));
        return MPI_SUCCESS;
    }
    int receive(char* to, std::int64_t n, int peer, int tag) {
        for (std::int64_t at = 0; at < n; at += kMostAtOnce)
            HOPBINE_TRY(PMPI_Irecv(to + at, static_cast<int>(std::min(kMostAtOnce, n - at)), MPI_BYTE, peer, tag, comm_, &w_.requests.emplace_back()));
        return MPI_SUCCESS;
    }

    /// A message longer than its receiver reckoned with is a mismatch of the users' counts: the others are waited for all the same.
    int wait(std::size_t from, std::size_t to) {
        w_.statuses.resize(std::max(w_.statuses.size(), w_.requests.size()));
        int error = MPI_SUCCESS;
        for (std::size_t i = from; i < to; ++i) {
            const int e = PMPI_Wait(&w_.requests[i], &w_.statuses[i]);
            if (e == MPI_SUCCESS) continue;
            int kind = MPI_SUCCESS;
            PMPI_Error_class(e, &kind);
            (kind == MPI_ERR_TRUNCATE ? mismatch_ : error) = kind;
        }
        return error;
    }

    enum Staging { kFirsts, kRests, kOut };
    char* stage(Scratch& scratch, Staging which, std::int64_t bytes) {
        need_[which] = std::max(need_[which], bytes);
        return scratch.at_least(bytes);
    }

    MPI_Comm comm_;
    NonuniformWorkspace& w_;
    char* rests_ = nullptr;
    std::int64_t need_[3] = {};  ///< the most bytes that a step staged
    int mismatch_ = MPI_SUCCESS;
};

}  // namespace

void NonuniformWorkspace::trim(std::int64_t keep) {
    for (Scratch* s : {&firsts, &rests, &out, &in_place})
        if (s->capacity() > keep) s->release();
    if (held.capacity() > keep) held.release();
}

int run_nonuniform(const Plan& plan, const Side& send, const Side& recv, MPI_Comm comm, NonuniformWorkspace& w) {
    w.peak = 0;
    return Run(plan, send, recv, comm, w).steps();
}

}  // namespace hopbine::mpi
