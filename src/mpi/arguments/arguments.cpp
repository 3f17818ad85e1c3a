#include "mpi/arguments/arguments.hpp"

#include "mpi/arguments/refusal.hpp"
#include "mpi/bind/bind_buffers.hpp"
#include "mpi/execute/call.hpp"
#include "mpi/execute/user_blocks.hpp"
#include "runtime/mailboxes.hpp"
#include "runtime/settings.hpp"

namespace hopbine::mpi {

namespace {

bool usable(std::int64_t count, const Type& t) {
    std::int64_t bytes;
    return count >= 0 && t.usable && !__builtin_mul_overflow(count, t.size, &bytes);
}

/// Bytes of p blocks. False: the number overflows.
bool times(std::int64_t block, int p, std::int64_t* bytes) {
    return !__builtin_mul_overflow(block, std::int64_t{p}, bytes);
}

/// Whether hopbine may serve the operation on the datatype.
///
/// - All ranks pass the same count, datatype and operation: all decide the same.
/// - Elements that overlap or are empty are left to the MPI library.
/// - So are predefined operations that MPI does not define on the datatype: the library reports the
///   error.
bool reducible(const Call& c, const Type& t, Communicator& state) {
    return c.op != MPI_OP_NULL && t.usable && t.size > 0 && t.extent > 0 &&
           state.find_reduction(c.op, t).defined;
}

/// Sum of the counts of a reduce_scatter. False: a count is negative or the sum overflows.
bool sum_of_counts(const Call& c, int p, std::int64_t* sum) {
    *sum = 0;
    for (int b = 0; b < p; ++b)
        if (c.counts[b] < 0 || __builtin_add_overflow(*sum, c.counts[b], sum)) return false;
    return true;
}

bool examine_vector(const Call& c, Communicator& state, Arguments* out) {
    out->recv = describe(c.recv_type);
    std::int64_t count = c.recv_count;
    if (c.collective == Collective::reduce_scatter &&
        !(c.counts ? sum_of_counts(c, state.size, &count)
                   : times(c.recv_count, state.size, &count)))
        return false;
    if (!usable(count, out->recv) || (reduces(c.collective) && !reducible(c, out->recv, state)))
        return false;
    if (c.collective == Collective::reduce && c.send == MPI_IN_PLACE && state.rank != c.root)
        return false;
    out->bytes = count * out->recv.size;
    return true;
}

/// The error of a rank that sends itself more than it expects: the block is truncated, as a message
/// would be.
int own_block_error(std::int64_t sent, std::int64_t expected) {
    return sent > expected ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
}

/// Validates a gather or scatter of equal blocks.
bool examine_rooted(const Call& c, const Communicator& state, Arguments* out) {
    const RootedCall r(c, state.rank);
    if (r.in_place && !r.root) return false;
    const bool sends = r.gathers ? !r.in_place : r.root,
               receives = r.gathers ? r.root : !r.in_place;
    if (sends) out->send = describe(c.send_type);
    if (receives) out->recv = describe(c.recv_type);
    if ((sends && !usable(c.send_count, out->send)) ||
        (receives && !usable(c.recv_count, out->recv)))
        return false;
    const std::int64_t sent = c.send_count * out->send.size,
                       received = c.recv_count * out->recv.size;
    if (sends && receives) out->error = own_block_error(sent, received);
    return times(r.root == r.gathers ? received : sent, state.size, &out->bytes);
}

/// Validates an allgatherv: all ranks know the block sizes.
bool examine_allgatherv(const Call& c, const Communicator& state, Arguments* out) {
    out->recv = describe(c.recv_type);
    if (!out->recv.usable || !c.displacements) return false;
    const UserBlocks all(c.recv, state.size, c.counts, c.displacements, out->recv);
    out->bytes = all.all();
    if (c.send == MPI_IN_PLACE || out->bytes < 0) return out->bytes >= 0;
    out->send = describe(c.send_type);
    if (!usable(c.send_count, out->send)) return false;
    out->error = own_block_error(c.send_count * out->send.size, all.bytes(state.rank));
    return true;
}

/// Validates an allgather or alltoall of equal blocks.
bool examine_blocks(const Call& c, const Communicator& state, Arguments* out) {
    out->recv = describe(c.recv_type);
    if (!usable(c.recv_count, out->recv)) return false;
    const std::int64_t block = c.recv_count * out->recv.size;
    if (c.send != MPI_IN_PLACE) {
        out->send = c.send_type == c.recv_type ? out->recv : describe(c.send_type);
        if (!usable(c.send_count, out->send)) return false;
        out->error = own_block_error(c.send_count * out->send.size, block);
    }
    return times(block, state.size, &out->bytes);
}

bool examine_sizes(const Call& c, Communicator& state, Arguments* out) {
    switch (c.collective) {
    case Collective::gather:
    case Collective::scatter:
        return c.varies
                   ? valid_gatherv(c, state.rank, state.size, &out->send, &out->recv, &out->bytes)
                   : examine_rooted(c, state, out);
    case Collective::alltoallv:
        return valid_alltoallv(c, state.size, &out->send, &out->recv, &out->bytes);
    case Collective::allgather:
        return c.counts ? examine_allgatherv(c, state, out) : examine_blocks(c, state, out);
    case Collective::alltoall: return examine_blocks(c, state, out);
    case Collective::barrier: return true;
    default: return examine_vector(c, state, out);
    }
}

}  // namespace

bool examine(const Call& c, Communicator& state, Arguments* out) {
    if (c.neighbors) return valid_neighbors(c, &out->send, &out->recv, &out->bytes);
    if (rooted(c.collective) && (c.root < 0 || c.root >= state.size)) return false;
    if (!examine_sizes(c, state, out)) return false;
    return !suspicious(c, state.rank, state.size, *out) || !library_refuses(c, state.rank, *out);
}

KnownToAll known_to_all(const Call& c, const Communicator& state, const Arguments& known) {
    return {c.varies ? select::kUnknown : known.bytes, rooted(c.collective) ? c.root : 0,
            reduces(c.collective) ? state.reduction().operands() : Operands::exact};
}

bool fits_mailboxes(const Call& c, const KnownToAll& key) {
    return !c.neighbors && key.bytes != select::kUnknown && key.bytes <= Mailbox::kMostBytes &&
           !settings().asks_for_gpu();
}

}  // namespace hopbine::mpi
