#include "mpi/nonuniform.hpp"

#include <numeric>

#include "mpi/copy.hpp"
#include "mpi/letters.hpp"
#include "mpi/long_messages.hpp"
#include "mpi/try.hpp"

namespace hopbine::mpi {

namespace {

constexpr int
    kFirst = 0,
    kRest = 1;  // channels: a rest may be awaited later than the first part of the next letter
using Incoming = NonuniformWorkspace::Incoming;

class Run : Letters {
public:
    Run(const Plan& plan, const Side& send, const Side& recv, const Endpoint& at, MPI_Comm user,
        NonuniformWorkspace& w)
        : Letters(plan, send, recv, w.held), at_(at), user_(user), w_(w) {}

    int steps() {
        w_.held.begin(static_cast<std::size_t>(plan_.temp_slots));
        begin();
        if (plan_.wire == Wire::padded) HOPBINE_TRY(find_largest());
        for (std::size_t s = 0; s + 1 < plan_.steps.size(); ++s) {
            half_ = s % 2;
            HOPBINE_TRY(step(plan_.letters.data() + plan_.steps[s],
                             plan_.letters.data() + plan_.steps[s + 1]));
        }
        w_.peak = std::accumulate(std::begin(need_), std::end(need_), w_.held.needed());
        recalled_.whole = true;
        return mismatch_;
    }

private:
    /// Are the sizes that this rank knows those of the last call? Until the call is over nothing
    /// can be said of it.
    void begin() {
        again_ = recalls_ = recalled_.whole;
        recalled_.whole = false;
        recalled_.own.resize(static_cast<std::size_t>(send_.blocks()));
        recalled_.lengths.resize(plan_.letters.size());
        recalled_.sizes.resize(plan_.hops.size());
        for (int b = 0; b < send_.blocks(); ++b) {
            std::int64_t& known = recalled_.own[static_cast<std::size_t>(b)];
            const std::int64_t bytes = send_.bytes(b);
            again_ &= known == bytes;
            known = bytes;
        }
    }

    int find_largest() {
        largest = *std::ranges::max_element(recalled_.own);
        return PMPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_INT64_T, MPI_MAX, user_);
    }

    int step(const Letter* begin, const Letter* end) {
        w_.requests.clear();
        w_.incoming.clear();
        HOPBINE_TRY(post_receives(begin, end));
        const std::size_t receives = w_.requests.size();
        HOPBINE_TRY(post_sends(begin, end));
        HOPBINE_TRY(wait(0, receives));
        HOPBINE_TRY(open());
        HOPBINE_TRY(wait(receives, w_.requests.size()));
        return place();
    }

    int post_receives(const Letter* begin, const Letter* end) {
        std::int64_t room_for_all = 0;
        for (const Letter* l = begin; l != end; ++l)
            if (l->way == Way::recv && !direct(*l)) room_for_all += lines(most_head(*l) + room(*l));
        char* at = stage(w_.firsts[half_], need_[half_], room_for_all);
        for (const Letter* l = begin; l != end; ++l) {
            if (l->way == Way::send || nothing(*l)) continue;
            w_.incoming.push_back({l, w_.requests.size()});
            if (direct(*l)) {
                HOPBINE_TRY(transfer(*l));
                continue;
            }
            const std::int64_t most = most_head(*l) + room(*l);
            w_.incoming.back().staged = at;
            HOPBINE_TRY(receive(at, most, l->peer, kFirst));
            at += lines(most);
        }
        return MPI_SUCCESS;
    }

    int post_sends(const Letter* begin, const Letter* end) {
        std::int64_t room_for_all = 0;
        for (const Letter* l = begin; l != end; ++l)
            if (l->way == Way::send && !direct(*l))
                room_for_all += lines(most_head(*l) + outgoing(*l));
        char* at = stage(w_.out, need_[4], room_for_all);
        for (const Letter* l = begin; l != end; ++l) {
            if (l->way == Way::recv || nothing(*l)) continue;
            HOPBINE_TRY(direct(*l) ? transfer(*l) : send_packed(*l, at));
            if (!direct(*l)) at += lines(most_head(*l) + length(*l));
        }
        return MPI_SUCCESS;
    }

    std::int64_t outgoing(const Letter& l) const {
        if (known(l)) return known_size(l) * blocks(l);
        if (again_) return length(l);
        std::int64_t bytes = 0;
        for (std::uint32_t i = l.begin; i < l.end; ++i) bytes += size(plan_.hops[i]);
        return bytes;
    }

    /// From or to the user's buffer, in the user's own type: at the other end it may be another
    /// with the same signature.
    int transfer(const Letter& l) {
        const Side& user = side(l);
        const std::int64_t bytes = user.bytes(l.peer);
        char* const at = user.at(l.peer);
        const bool sends = l.way == Way::send;
        if (bytes > kMostAtOnce)
            return sends ? send(at, bytes, l.peer, kFirst) : receive(at, bytes, l.peer, kFirst);
        const int count = static_cast<int>(user.count(l.peer));
        return sends
                   ? PMPI_Isend(at, count, user.type().handle, at_.rank(l.peer),
                                at_.tag_of(l.peer) + kFirst, at_.comm, &w_.requests.emplace_back())
                   : PMPI_Irecv(at, count, user.type().handle, at_.rank(l.peer), at_.tag + kFirst,
                                at_.comm, &w_.requests.emplace_back());
    }

    int send_packed(const Letter& l, char* const begin) {
        Head head{w_.busiest, outgoing(l), again_};
        head.narrow = Head::fits_narrow(head.bytes);
        const bool headed = !known(l), sized = headed && !head.again;
        if (headed) head.write(begin);
        char *sizes = begin + 2 * Head::kWord, *to = begin + (headed ? head.length(blocks(l)) : 0),
             *split = nullptr;
        const char* const last = to + room(l);
        for (std::uint32_t i = l.begin; i < l.end; ++i) {
            const Hop hop = plan_.hops[i];
            const std::int64_t bytes = size(hop), taken = travelling(l, bytes);
            if (sized) {
                head.write_size(sizes, bytes);
                sizes += head.width();
            }
            if (!split && to + taken > last) split = to;
            if (hop < 0) {
                copy_bytes(to, w_.held.data(slot(hop)), bytes);
                w_.held.let_go(slot(hop));
            } else {
                HOPBINE_TRY(send_.pack(hop, to));
            }
            if (taken > bytes) std::fill(to + bytes, to + taken, '\0');
            to += taken;
        }
        length(l) = head.bytes;
        if (!split) split = to;
        HOPBINE_TRY(send(begin, split - begin, l.peer, kFirst));
        return send(split, to - split, l.peer, kRest);
    }

    /// The heads are here: now the sizes are known, and what follows can be awaited.
    int open() {
        std::int64_t room_for_all = 0;
        for (Incoming& in : w_.incoming) {
            if (!in.staged) continue;
            HOPBINE_TRY(open(in));
            in.rest = room_for_all;
            room_for_all += lines(in.rest_bytes);
        }
        rests_ = stage(w_.rests[half_], need_[2 + half_], room_for_all);
        for (const Incoming& in : w_.incoming)
            if (in.rest_bytes)
                HOPBINE_TRY(receive(rests_ + in.rest, in.rest_bytes, in.letter->peer, kRest));
        return MPI_SUCCESS;
    }

    int open(Incoming& in) {
        const Letter& l = *in.letter;
        in.data = in.staged;
        in.data_bytes = room(l);
        if (known(l)) return MPI_SUCCESS;
        const Head head = Head::read(in.staged, length(l));
        w_.busiest = std::max(w_.busiest, head.busiest);
        if (head.again && !recalls_) return MPI_ERR_INTERN;
        again_ &= head.again;
        in.data += head.length(blocks(l));
        in.data_bytes = head.bytes;
        if (head.bytes > room(l)) {
            int got = 0;
            PMPI_Get_count(&w_.statuses[in.request], MPI_BYTE, &got);
            in.data_bytes = got - head.length(blocks(l));
            in.rest_bytes = head.bytes - in.data_bytes;
        }
        length(l) = head.bytes;
        if (head.again) return MPI_SUCCESS;
        const char* sizes = in.staged + 2 * Head::kWord;
        for (std::uint32_t i = l.begin; i < l.end; ++i, sizes += head.width())
            recalled_.sizes[i] = head.read_size(sizes);
        return MPI_SUCCESS;
    }

    std::int64_t arrived(const Letter& l, std::uint32_t i) const {
        return known(l) ? known_size(l) : recalled_.sizes[i];
    }

    /// Everything is here: into the receive buffer, or held until it goes on.
    int place() {
        std::int64_t passing = 0;
        for (const Incoming& in : w_.incoming)
            if (in.staged)
                for (std::uint32_t i = in.letter->begin; i < in.letter->end; ++i)
                    passing +=
                        plan_.hops[i] < 0 && !stays(plan_.hops[i]) ? arrived(*in.letter, i) : 0;
        w_.held.expect(passing);
        for (const Incoming& in : w_.incoming) HOPBINE_TRY(in.staged ? place(in) : check(in));
        return MPI_SUCCESS;
    }

    int place(const Incoming& in) {
        const Letter& l = *in.letter;
        const char *at = in.data, *const split = in.data + in.data_bytes;
        bool rest = false;
        for (std::uint32_t i = l.begin; i < l.end; ++i) {
            const Hop hop = plan_.hops[i];
            const std::int64_t bytes = arrived(l, i);
            if (!rest && at + bytes > split) {
                rest = true;
                at = rests_ + in.rest;
            }
            if (stays(hop)) {
                w_.held.lend(slot(hop), at, bytes);
            } else if (hop < 0) {
                w_.held.put(slot(hop), at, bytes);
            } else {
                const std::int64_t wanted = recv_.bytes(hop);
                if (plan_.wire == Wire::padded ? wanted > bytes : wanted != bytes)
                    mismatch_ = MPI_ERR_TRUNCATE;
                else
                    HOPBINE_TRY(recv_.unpack(hop, at));
            }
            at += bytes;
        }
        return at == (rest ? rests_ + in.rest + in.rest_bytes : split) ? MPI_SUCCESS
                                                                       : MPI_ERR_INTERN;
    }

    /// Did a bare block have the size that this rank reckoned with? Longer ones are errors of their
    /// transfers.
    int check(const Incoming& in) {
        const Side& user = side(*in.letter);
        int got = 0;
        if (user.bytes(in.letter->peer) > kMostAtOnce) return MPI_SUCCESS;
        PMPI_Get_count(&w_.statuses[in.request], user.type().handle, &got);
        if (got != user.count(in.letter->peer)) mismatch_ = MPI_ERR_TRUNCATE;
        return MPI_SUCCESS;
    }

    int send(const char* from, std::int64_t n, int peer, int channel) {
        return send_bytes(from, n, peer, channel, at_, w_.requests);
    }
    int receive(char* to, std::int64_t n, int peer, int channel) {
        return receive_bytes(to, n, peer, channel, at_, w_.requests);
    }

    /// A message longer than its receiver reckoned with is a mismatch of the users' counts: the
    /// others are waited for all the same.
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

    static char* stage(Scratch& scratch, std::int64_t& need, std::int64_t bytes) {
        need = std::max(need, bytes);
        return scratch.at_least(bytes);
    }

    const Endpoint& at_;
    MPI_Comm user_;
    NonuniformWorkspace& w_;
    char* rests_ = nullptr;
    std::size_t half_ = 0;       ///< of the staging that this step has
    std::int64_t need_[5] = {};  ///< the most bytes that a step staged: firsts, rests, out
    int mismatch_ = MPI_SUCCESS;
    bool recalls_ = false;  ///< this rank has the sizes of the last call
    bool again_ = false;    ///< all that it knows by now of this call's are the same
};

}  // namespace

void NonuniformWorkspace::trim(std::int64_t keep) {
    for (Scratch* s : {&firsts[0], &firsts[1], &rests[0], &rests[1], &out, &in_place})
        if (s->capacity() > keep) s->release();
    if (held.capacity() > keep) held.release();
}

int run_nonuniform(const Plan& plan, const Side& send, const Side& recv, const Endpoint& at,
                   MPI_Comm user, NonuniformWorkspace& w) {
    w.peak = 0;
    return Run(plan, send, recv, at, user, w).steps();
}

}  // namespace hopbine::mpi
