#include "mpi/prepared/exchange.hpp"

#include <numeric>

#include "mpi/execute/copy.hpp"
#include "mpi/execute/long_messages.hpp"
#include "mpi/execute/try.hpp"
#include "mpi/execute/wait.hpp"

namespace hopbine::mpi {

namespace {

constexpr int kChannel = 0;

std::int64_t sum(const std::vector<std::int64_t>& sizes, const SizedMessage& l) {
    return std::accumulate(sizes.begin() + l.begin, sizes.begin() + l.end, std::int64_t{0});
}

/// Addresses of a buffer's blocks when packed contiguously.
std::vector<char*> packed(const UserBlocks& user, Scratch& scratch) {
    std::vector<char*> out;
    char* at = scratch.at_least(user.all() + 1);
    for (int b = 0; b < user.blocks(); at += user.bytes(b++)) out.push_back(at);
    return out;
}

}  // namespace

int exchange_sizes(const Plan& plan, const std::vector<std::int64_t>& own, const Endpoint& at,
                   std::vector<std::int64_t>* sizes) {
    std::vector<std::int64_t> slots(static_cast<std::size_t>(plan.temp_slots));
    std::vector<MPI_Request> requests;
    sizes->assign(plan.block_refs.size(), 0);
    for (std::size_t s = 0; s + 1 < plan.steps.size(); ++s) {
        requests.clear();
        for (std::uint32_t i = plan.steps[s]; i < plan.steps[s + 1]; ++i) {
            const SizedMessage& l = plan.sized_messages[i];
            std::int64_t* const told = sizes->data() + l.begin;
            const int n = static_cast<int>(l.end - l.begin);
            if (l.direction == Direction::recv) {
                HOPBINE_TRY(PMPI_Irecv(told, n, MPI_INT64_T, at.rank(l.peer), at.tag + kChannel,
                                       at.comm, &requests.emplace_back()));
                continue;
            }
            for (std::uint32_t h = l.begin; h < l.end; ++h)
                (*sizes)[h] = plan.block_refs[h] < 0
                                  ? slots[slot(plan.block_refs[h])]
                                  : own[static_cast<std::size_t>(plan.block_refs[h])];
            HOPBINE_TRY(PMPI_Isend(told, n, MPI_INT64_T, at.rank(l.peer),
                                   at.tag_of(l.peer) + kChannel, at.comm,
                                   &requests.emplace_back()));
        }
        HOPBINE_TRY(
            PMPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
        for (std::uint32_t i = plan.steps[s]; i < plan.steps[s + 1]; ++i)
            for (std::uint32_t h = plan.sized_messages[i].begin;
                 plan.sized_messages[i].direction == Direction::recv &&
                 h < plan.sized_messages[i].end;
                 ++h)
                if (plan.block_refs[h] < 0) slots[slot(plan.block_refs[h])] = (*sizes)[h];
    }
    return MPI_SUCCESS;
}

Exchange::Exchange(const Call& c, const Communicator& state, const Plan& plan, const Type& send,
                   const Type& recv)
    : state_(state),
      plan_(plan),
      send_(c.send == MPI_IN_PLACE
                ? UserBlocks(c.recv, state.size, c.counts, c.displacements, recv)
                : UserBlocks(c.send, state.size, c.send_counts, c.send_displacements, send)),
      recv_(c.recv, state.size, c.counts, c.displacements, recv),
      in_place_(c.send == MPI_IN_PLACE),
      packs_(in_place_ || !send.plain),
      unpacks_(!recv.plain) {}

int Exchange::prepare(const Endpoint& at) {
    std::vector<std::int64_t> own, sizes;
    for (int b = 0; b < state_.size; ++b) own.push_back(send_.bytes(b));
    HOPBINE_TRY(exchange_sizes(plan_, own, at, &sizes));
    int mismatch = own[static_cast<std::size_t>(state_.rank)] != recv_.bytes(state_.rank), any = 0;
    for (const SizedMessage& l : plan_.sized_messages)
        for (std::uint32_t h = l.begin; l.direction == Direction::recv && h < l.end; ++h)
            mismatch |= plan_.block_refs[h] >= 0 && recv_.bytes(plan_.block_refs[h]) != sizes[h];
    // All ranks return the error: a rank that continued would wait for ever.
    HOPBINE_TRY(PMPI_Allreduce(&mismatch, &any, 1, MPI_INT, MPI_MAX, state_.user()));
    if (any) return MPI_ERR_TRUNCATE;
    lay_out(sizes);
    return MPI_SUCCESS;
}

void Exchange::lay_out(const std::vector<std::int64_t>& sizes) {
    if (packs_) packed_send_at_ = packed(send_, packed_send_);
    if (unpacks_) packed_recv_at_ = packed(recv_, packed_recv_);
    std::int64_t in = 0, most_out = 0;
    for (std::size_t s = 0; s + 1 < plan_.steps.size(); ++s) {
        std::int64_t out = 0;
        for (std::uint32_t i = plan_.steps[s]; i < plan_.steps[s + 1]; ++i)
            (plan_.sized_messages[i].direction == Direction::recv ? in : out) +=
                lines(sum(sizes, plan_.sized_messages[i]));
        most_out = std::max(most_out, out);
    }
    char *in_at = in_.at_least(in + 1), *const out_begin = out_.at_least(most_out + 1);
    std::vector<char*> slots(static_cast<std::size_t>(plan_.temp_slots));
    for (std::size_t s = 0; s + 1 < plan_.steps.size(); ++s) {
        steps_.push_back(static_cast<std::uint32_t>(messages_.size()));
        char* out_at = out_begin;  // no step sends from a slot that it receives into
        for (const Direction direction : {Direction::recv, Direction::send})
            for (std::uint32_t i = plan_.steps[s]; i < plan_.steps[s + 1]; ++i) {
                const SizedMessage& l = plan_.sized_messages[i];
                if (l.direction != direction || sum(sizes, l) == 0)
                    continue;  // both ends know that it is empty
                if (direction == Direction::recv)
                    receive_message(l, sizes, slots, in_at);
                else
                    send_message(l, sizes, slots, out_at);
            }
    }
    steps_.push_back(static_cast<std::uint32_t>(messages_.size()));
}

void Exchange::add_copy(std::uint32_t begin, char* user, std::int64_t bytes) {
    if (bytes == 0) return;
    if (copies_.size() > begin &&
        (user ? copies_.back().user && copies_.back().user + copies_.back().bytes == user
              : !copies_.back().user))
        copies_.back().bytes += bytes;
    else
        copies_.push_back({user, bytes});
}

void Exchange::receive_message(const SizedMessage& l, const std::vector<std::int64_t>& sizes,
                               std::vector<char*>& slots, char*& at) {
    PreparedMessage message{
        Direction::recv, l.peer, at, sum(sizes, l), static_cast<std::uint32_t>(copies_.size()), 0};
    for (std::uint32_t h = l.begin; h < l.end; ++h) {
        const BlockRef ref = plan_.block_refs[h];
        if (ref < 0) slots[slot(ref)] = at;
        add_copy(message.begin, ref < 0 ? nullptr : wanted_block(ref), sizes[h]);
        at += sizes[h];
    }
    at = message.at + lines(message.bytes);
    if (copies_.size() == message.begin + 1 &&
        copies_.back().user) {  // contiguous in the user's buffer: no staging
        message.at = copies_.back().user;
        copies_.pop_back();
        at -= lines(message.bytes);
    }
    message.end = static_cast<std::uint32_t>(copies_.size());
    messages_.push_back(message);
}

void Exchange::send_message(const SizedMessage& l, const std::vector<std::int64_t>& sizes,
                            const std::vector<char*>& slots, char*& at) {
    PreparedMessage message{
        Direction::send, l.peer, at, sum(sizes, l), static_cast<std::uint32_t>(copies_.size()), 0};
    for (std::uint32_t h = l.begin; h < l.end; ++h) {
        const BlockRef ref = plan_.block_refs[h];
        add_copy(message.begin, ref < 0 ? slots[slot(ref)] : own_block(ref), sizes[h]);
    }
    if (copies_.size() == message.begin + 1) {
        message.at = copies_.back().user;
        copies_.pop_back();
    } else {
        at += lines(message.bytes);
    }
    message.end = static_cast<std::uint32_t>(copies_.size());
    messages_.push_back(message);
}

/// Posts the messages of a step.
int Exchange::post(std::size_t step, const Endpoint& at) {
    requests_.clear();
    for (std::uint32_t i = steps_[step]; i < steps_[step + 1]; ++i) {
        const PreparedMessage& message = messages_[i];
        char* to = message.at;
        for (std::uint32_t c = message.begin;
             message.direction == Direction::send && c < message.end; to += copies_[c++].bytes)
            copy_bytes(to, copies_[c].user, copies_[c].bytes);
        HOPBINE_TRY(
            message.direction == Direction::recv
                ? receive_bytes(message.at, message.bytes, message.peer, kChannel, at, requests_)
                : send_bytes(message.at, message.bytes, message.peer, kChannel, at, requests_));
    }
    return MPI_SUCCESS;
}

/// Puts the received blocks of a step in their places.
void Exchange::end_step(std::size_t step) {
    for (std::uint32_t i = steps_[step]; i < steps_[step + 1]; ++i) {
        const PreparedMessage& message = messages_[i];
        const char* from = message.at;
        for (std::uint32_t c = message.begin;
             message.direction == Direction::recv && c < message.end; from += copies_[c++].bytes)
            if (copies_[c].user) copy_bytes(copies_[c].user, from, copies_[c].bytes);
    }
}

int Exchange::run(const Endpoint& at) {
    for (int b = 0; packs_ && b < send_.blocks(); ++b)
        HOPBINE_TRY(send_.pack(b, packed_send_at_[static_cast<std::size_t>(b)]));
    if (!in_place_) HOPBINE_TRY(hand_over(send_, recv_, state_.rank, between_));
    for (std::size_t step = 0; step + 1 < steps_.size(); ++step) {
        HOPBINE_TRY(post(step, at));
        for (MPI_Request& request : requests_) HOPBINE_TRY(wait(&request, MPI_STATUS_IGNORE, at));
        end_step(step);
    }
    for (int b = 0; unpacks_ && b < recv_.blocks(); ++b)
        if (b != state_.rank)
            HOPBINE_TRY(recv_.unpack(b, packed_recv_at_[static_cast<std::size_t>(b)]));
    return MPI_SUCCESS;
}

}  // namespace hopbine::mpi
