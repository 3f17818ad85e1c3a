#include "mpi/alltoallv/nonuniform.hpp"

#include <numeric>

#include "mpi/execute/messages.hpp"
#include "runtime/copy.hpp"
#include "runtime/sized_messages.hpp"

namespace hopbine::mpi {

namespace {

constexpr std::size_t kEarly = 2;  ///< the staging of messages before the first step
using Incoming = NonuniformWorkspace::Incoming;
using Batch = NonuniformWorkspace::Batch;

class Run : SizedMessages<UserBlocks> {
public:
    Run(const Plan& plan, const UserBlocks& send, const UserBlocks& recv, const Endpoint& at,
        NonuniformWorkspace& w)
        : SizedMessages(plan, send, recv, w.transit, recalled_by(plan, w)),
          rank_(plan.rank),
          at_(at),
          w_(w) {}

    int steps() {
        w_.transit.begin(static_cast<std::size_t>(plan_.slots));
        begin();
        if (padded()) HOPBINE_TRY(find_largest());
        const SizedMessage* const all = plan_.messages.data();
        const bool any_early = plan_.bounds[0] > 0;
        if (any_early) HOPBINE_TRY(post(all, all + plan_.bounds[0], w_.early, kEarly));
        for (std::size_t s = 0; s + 1 < plan_.bounds.size(); ++s) {
            HOPBINE_TRY(post(all + plan_.bounds[s], all + plan_.bounds[s + 1], w_.step, s % 2));
            HOPBINE_TRY(complete(w_.step, s % 2));
        }
        if (any_early) HOPBINE_TRY(complete(w_.early, kEarly));
        w_.peak = std::accumulate(std::begin(need_), std::end(need_), w_.transit.needed());
        recalled_.whole = true;
        return mismatch_;
    }

private:
    /// Compares the sizes that this rank knows with the last call's. The remembered sizes are
    /// invalid until the call completes.
    void begin() {
        again_ = recalls_ = recalled_.whole;
        if (recalled_.fixed) return;
        recalled_.whole = false;
        recalled_.own.resize(static_cast<std::size_t>(send_.blocks()));
        recalled_.lengths.resize(plan_.messages.size());
        recalled_.sizes.resize(plan_.blocks.size());
        for (int b = 0; b < send_.blocks(); ++b) {
            std::int64_t& known = recalled_.own[static_cast<std::size_t>(b)];
            const std::int64_t bytes = send_.bytes(b);
            again_ &= known == bytes;
            known = bytes;
        }
    }

    /// All ranks forget at the same call: they use the same plans in the same order.
    static Recalled& recalled_by(const Plan& plan, NonuniformWorkspace& w) {
        constexpr std::size_t kMost = 64;
        if (w.recalled.size() >= kMost && !w.recalled.contains(plan.number)) w.recalled.clear();
        return w.recalled[plan.number];
    }

    /// Agrees on the largest block.
    int find_largest() {
        std::array<std::int64_t, 1> most{*std::ranges::max_element(recalled_.own)};
        HOPBINE_TRY(most_of_all(most, rank_, send_.blocks(), kDataChannel, at_));
        largest = most[0];
        return MPI_SUCCESS;
    }

    /// Posts messages that are staged in the buffers with index `half`.
    int post(const SizedMessage* begin, const SizedMessage* end, Batch& batch, std::size_t half) {
        batch_ = &batch;
        half_ = half;
        batch.requests.clear();
        batch.incoming.clear();
        HOPBINE_TRY(post_receives(begin, end));
        batch.receives = batch.requests.size();
        return post_sends(begin, end);
    }

    int complete(Batch& batch, std::size_t half) {
        batch_ = &batch;
        half_ = half;
        HOPBINE_TRY(wait(0, batch.receives));
        HOPBINE_TRY(open());
        HOPBINE_TRY(wait(batch.receives, batch.requests.size()));
        return place();
    }

    int post_receives(const SizedMessage* begin, const SizedMessage* end) {
        std::int64_t room_for_all = 0;
        for (const SizedMessage* l = begin; l != end; ++l)
            if (l->direction == Direction::recv && !direct(*l))
                room_for_all += lines(most_header(*l) + room(*l));
        char* at = stage(w_.firsts[half_], need_[half_], room_for_all);
        for (const SizedMessage* l = begin; l != end; ++l) {
            if (l->direction == Direction::send || nothing(*l)) continue;
            batch_->incoming.push_back({l, batch_->requests.size()});
            if (direct(*l)) {
                HOPBINE_TRY(transfer(*l));
                continue;
            }
            const std::int64_t most = most_header(*l) + room(*l);
            batch_->incoming.back().staged = at;
            HOPBINE_TRY(receive(at, most, l->peer, kDataChannel));
            at += lines(most);
        }
        return MPI_SUCCESS;
    }

    int post_sends(const SizedMessage* begin, const SizedMessage* end) {
        std::int64_t room_for_all = 0;
        for (const SizedMessage* l = begin; l != end; ++l)
            if (l->direction == Direction::send && !direct(*l))
                room_for_all += lines(most_header(*l) + outgoing(*l));
        char* at = half_ == kEarly ? stage(w_.early_out, need_[7], room_for_all)
                                   : stage(w_.out, need_[6], room_for_all);
        for (const SizedMessage* l = begin; l != end; ++l) {
            if (l->direction == Direction::recv || nothing(*l)) continue;
            HOPBINE_TRY(direct(*l) ? transfer(*l) : send_packed(*l, at));
            if (!direct(*l)) at += lines(most_header(*l) + length(*l));
        }
        return MPI_SUCCESS;
    }

    std::int64_t outgoing(const SizedMessage& l) const {
        if (known(l)) return known_size(l) * blocks(l);
        if (again_) return length(l);
        std::int64_t bytes = 0;
        for (std::uint32_t i = l.begin; i < l.end; ++i) bytes += size(plan_.blocks[i]);
        return bytes;
    }

    /// Sends or receives in the user's own datatype: the other end may use another one with the
    /// same signature.
    int transfer(const SizedMessage& l) {
        const UserBlocks& user = user_blocks(l);
        const int block = bare_block(l);
        const std::int64_t bytes = user.bytes(block);
        char* const at = user.at(block);
        const bool sends = l.direction == Direction::send;
        if (bytes > kMostAtOnce)
            return sends ? send(at, bytes, l.peer, kDataChannel)
                         : receive(at, bytes, l.peer, kDataChannel);
        const int count = static_cast<int>(user.count(block));
        return sends ? PMPI_Isend(at, count, user.type().handle, at_.rank(l.peer),
                                  at_.tag_of(l.peer, kDataChannel), at_.comm,
                                  &batch_->requests.emplace_back())
                     : PMPI_Irecv(at, count, user.type().handle, at_.rank(l.peer),
                                  at_.own_tag(kDataChannel), at_.comm,
                                  &batch_->requests.emplace_back());
    }

    int send_packed(const SizedMessage& l, char* const begin) {
        MessageHeader header{w_.max_bytes, outgoing(l), again_};
        header.narrow = MessageHeader::fits_narrow(header.bytes);
        const bool sized = has_header(l) && !header.again;
        if (has_header(l)) header.write(begin);
        char *sizes = begin + 2 * MessageHeader::kWord,
             *to = begin + (has_header(l) ? header.length(blocks(l)) : 0), *split = nullptr;
        const char* const last = to + room(l);
        for (std::uint32_t i = l.begin; i < l.end; ++i) {
            const BlockRef& ref = plan_.blocks[i];
            const std::int64_t bytes = size(ref), taken = travelling(l, bytes);
            if (sized) {
                header.write_size(sizes, bytes);
                sizes += header.width();
            }
            if (!split && to + taken > last) split = to;
            if (ref.in_transit) {
                copy_bytes(to, w_.transit.data(ref.slot()), bytes);
                if (!ref.stays) w_.transit.let_go(ref.slot());
            } else {
                HOPBINE_TRY(send_.pack(ref.at, to));
            }
            if (taken > bytes) std::fill(to + bytes, to + taken, '\0');
            to += taken;
        }
        length(l) = header.bytes;
        if (!split) split = to;
        HOPBINE_TRY(send(begin, split - begin, l.peer, kDataChannel));
        return send(split, to - split, l.peer, kRestChannel);
    }

    /// Reads the headers, which have the sizes, and posts the receives of the rests.
    int open() {
        std::int64_t room_for_all = 0;
        for (Incoming& in : batch_->incoming) {
            if (!in.staged) continue;
            HOPBINE_TRY(open(in));
            in.rest = room_for_all;
            room_for_all += lines(in.rest_bytes);
        }
        rests_ = stage(w_.rests[half_], need_[3 + half_], room_for_all);
        for (const Incoming& in : batch_->incoming)
            if (in.rest_bytes)
                HOPBINE_TRY(
                    receive(rests_ + in.rest, in.rest_bytes, in.message->peer, kRestChannel));
        return MPI_SUCCESS;
    }

    int open(Incoming& in) {
        const SizedMessage& l = *in.message;
        in.data = in.staged;
        in.data_bytes = room(l);
        if (!has_header(l)) return MPI_SUCCESS;
        const MessageHeader header = MessageHeader::read(in.staged, length(l));
        w_.max_bytes = std::max(w_.max_bytes, header.max_bytes);
        if (header.again && !recalls_) return MPI_ERR_INTERN;
        again_ &= header.again;
        in.data += header.length(blocks(l));
        in.data_bytes = header.bytes;
        if (header.bytes > room(l)) {
            int got = 0;
            PMPI_Get_count(&batch_->statuses[in.request], MPI_BYTE, &got);
            in.data_bytes = got - header.length(blocks(l));
            in.rest_bytes = header.bytes - in.data_bytes;
        }
        length(l) = header.bytes;
        if (header.again) return MPI_SUCCESS;
        const char* sizes = in.staged + 2 * MessageHeader::kWord;
        for (std::uint32_t i = l.begin; i < l.end; ++i, sizes += header.width())
            recalled_.sizes[i] = header.read_size(sizes);
        return MPI_SUCCESS;
    }

    std::int64_t arrived(const SizedMessage& l, std::uint32_t i) const {
        return known(l) ? known_size(l) : recalled_.sizes[i];
    }

    /// Places all received blocks: in the receive buffer, or in transit until they are sent on.
    int place() {
        std::int64_t passing = 0;
        for (const Incoming& in : batch_->incoming)
            if (in.staged)
                for (std::uint32_t i = in.message->begin; i < in.message->end; ++i)
                    if (const BlockRef& ref = plan_.blocks[i]; ref.in_transit && !ref.stays)
                        passing += arrived(*in.message, i);
        w_.transit.expect(passing);
        for (const Incoming& in : batch_->incoming) HOPBINE_TRY(in.staged ? place(in) : check(in));
        return MPI_SUCCESS;
    }

    int place(const Incoming& in) {
        const SizedMessage& l = *in.message;
        const char *at = in.data, *const split = in.data + in.data_bytes;
        bool rest = false;
        for (std::uint32_t i = l.begin; i < l.end; ++i) {
            const BlockRef& ref = plan_.blocks[i];
            const std::int64_t bytes = arrived(l, i);
            if (!rest && at + bytes > split) {
                rest = true;
                at = rests_ + in.rest;
            }
            if (ref.stays) {
                w_.transit.lend(ref.slot(), at, bytes);
            } else if (ref.in_transit) {
                w_.transit.put(ref.slot(), at, bytes);
            } else {
                const std::int64_t wanted = recv_.bytes(ref.at);
                if (padded() ? wanted > bytes : wanted != bytes)
                    mismatch_ = MPI_ERR_TRUNCATE;
                else
                    HOPBINE_TRY(recv_.unpack(ref.at, at));
            }
            at += bytes;
        }
        return at == (rest ? rests_ + in.rest + in.rest_bytes : split) ? MPI_SUCCESS
                                                                       : MPI_ERR_INTERN;
    }

    /// Checks that a bare block has the expected size. A longer one is an error of its receive. Of
    /// elements without bytes none are counted, however many came.
    int check(const Incoming& in) {
        const UserBlocks& user = user_blocks(*in.message);
        const int block = bare_block(*in.message);
        int got = 0;
        if (user.bytes(block) == 0 || user.bytes(block) > kMostAtOnce) return MPI_SUCCESS;
        PMPI_Get_count(&batch_->statuses[in.request], user.type().handle, &got);
        if (got != user.count(block)) mismatch_ = MPI_ERR_TRUNCATE;
        return MPI_SUCCESS;
    }

    int send(const char* from, std::int64_t n, int peer, int channel) {
        return send_bytes(from, n, peer, channel, at_, batch_->requests);
    }
    int receive(char* to, std::int64_t n, int peer, int channel) {
        return receive_bytes(to, n, peer, channel, at_, batch_->requests);
    }

    /// Waits for transfers. A message longer than its receive is a mismatch of the users' counts:
    /// the other transfers are waited for all the same.
    int wait(std::size_t from, std::size_t to) {
        batch_->statuses.resize(std::max(batch_->statuses.size(), batch_->requests.size()));
        int error = MPI_SUCCESS;
        for (std::size_t i = from; i < to; ++i) {
            const int e = mpi::wait(&batch_->requests[i], &batch_->statuses[i], at_);
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

    const int rank_;
    const Endpoint& at_;
    NonuniformWorkspace& w_;
    char* rests_ = nullptr;
    Batch* batch_ = nullptr;     ///< the messages that are posted or completed
    std::size_t half_ = 0;       ///< index of the staging that they use
    std::int64_t need_[8] = {};  ///< the most bytes staged: firsts, rests, out, early_out
    int mismatch_ = MPI_SUCCESS;
    bool recalls_ = false;  ///< this rank knows the sizes of the last call
    bool again_ = false;    ///< all sizes known so far are the same as in the last call
};

}  // namespace

void NonuniformWorkspace::trim() {
    for (Scratch* s : {&firsts[0], &firsts[1], &firsts[2], &rests[0], &rests[1], &rests[2], &out,
                       &early_out, &in_place})
        s->trim();
    if (transit.capacity() > Scratch::kKept) transit.release();
}

int run_nonuniform(const Plan& plan, const UserBlocks& send, const UserBlocks& recv,
                   const Endpoint& at, NonuniformWorkspace& w) {
    w.peak = 0;
    return Run(plan, send, recv, at, w).steps();
}

}  // namespace hopbine::mpi
