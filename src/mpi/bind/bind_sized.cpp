// Binds calls whose block sizes only both ends know: alltoallv, gatherv, scatterv, and those among
// neighbours.
#include "mpi/bind/bind_buffers.hpp"

namespace hopbine::mpi {

namespace {

UserBlocks receiving(const Call& c, int p, const Type& type) {
    return {c.recv, p, c.counts, c.displacements, type};
}
UserBlocks sending(const Call& c, int p, const Type& type) {
    return {c.send, p, c.send_counts, c.send_displacements, type};
}

/// Packs the blocks to be sent into a copy: in place, received blocks overwrite them.
int copied(const UserBlocks& recv, int p, NonuniformWorkspace& w, UserBlocks* out) {
    w.numbers.assign(2 * static_cast<std::size_t>(p), 0);
    std::int64_t *lengths = w.numbers.data(), *places = lengths + p, at = 0;
    char* const copy = w.in_place.at_least(recv.all());
    for (int b = 0; b < p; ++b) {
        lengths[b] = recv.bytes(b);
        places[b] = at;
        HOPBINE_TRY(recv.pack(b, copy + at));
        at += lengths[b];
    }
    Type packed;
    packed.handle = MPI_PACKED;
    packed.size = packed.extent = packed.true_extent = 1;
    packed.plain = packed.usable = true;
    *out = UserBlocks(copy, p, lengths, places, packed);
    return MPI_SUCCESS;
}

UserBlocks all_blocks(const RootedCall& c, int p, const Type& type) {
    return {c.all, c.root ? p : 0, c.counts, c.displacements, type};
}
UserBlocks own_block(const RootedCall& c, const Type& type) {
    return {c.in_place ? nullptr : c.own, c.in_place ? 0 : c.own_count, type};
}

/// Validates the rank's own block; in place there is none.
bool valid_own(const RootedCall& c, MPI_Datatype handle, Type* type, std::int64_t* bytes) {
    *bytes = 0;
    if (c.in_place) return c.root;
    *type = describe(handle);
    *bytes = own_block(c, *type).all();
    return type->usable && *bytes >= 0;
}

/// Validates all blocks, at the root.
bool valid_all(const RootedCall& c, int p, MPI_Datatype handle, Type* type, std::int64_t* bytes) {
    *type = describe(handle);
    if (!type->usable || !c.counts || !c.displacements) return false;
    *bytes = all_blocks(c, p, *type).all();
    return *bytes >= 0;
}

UserBlocks blocks(const void* buffer, int n, std::int64_t count, const Array& counts,
                  const Array& displacements, const Type& type) {
    return counts ? UserBlocks(buffer, n, counts, displacements, type)
                  : UserBlocks::equal(buffer, n, count, type);
}

UserBlocks sent_to_neighbors(const Call& c, const Type& type) {
    return c.neighbor_blocks() == NeighborBlocks::same
               ? UserBlocks(c.send, c.send_count, type)
               : blocks(c.send, c.sent_blocks(0), c.send_count, c.send_counts, c.send_displacements,
                        type);
}

UserBlocks received_from_neighbors(const Call& c, const Type& type) {
    return blocks(c.recv, c.received_blocks(0), c.recv_count, c.counts, c.displacements, type);
}

}  // namespace

bool valid_alltoallv(const Call& c, int p, Type* send, Type* recv, std::int64_t* bytes) {
    const bool in_place = c.send == MPI_IN_PLACE;
    *recv = describe(c.recv_type);
    if (!in_place) *send = describe(c.send_type);
    if (!recv->usable || !c.counts || !c.displacements ||
        (!in_place && (!send->usable || !c.send_counts || !c.send_displacements)))
        return false;
    const std::int64_t in = receiving(c, p, *recv).all();
    *bytes = in_place ? in : sending(c, p, *send).all();
    return in >= 0 && *bytes >= 0;
}

int alltoallv(const ServedCall& f) {
    NonuniformWorkspace& w = f.nonuniform;
    const int p = f.state.size, me = f.state.rank;
    const bool in_place = f.call.send == MPI_IN_PLACE;
    const UserBlocks recv = receiving(f.call, p, f.recv);
    UserBlocks send = sending(f.call, p, f.send);
    if (in_place) HOPBINE_TRY(copied(recv, p, w, &send));
    const int mine = in_place ? MPI_SUCCESS : hand_over(send, recv, me, w.out);
    w.max_bytes = (in_place ? recv : send).all();
    const int others = run_nonuniform(f.plan, send, recv, f.endpoint, w);
    if (in_place) w.peak += recv.all();
    return others != MPI_SUCCESS ? others : mine;
}

bool valid_gatherv(const Call& call, int rank, int p, Type* send, Type* recv, std::int64_t* bytes) {
    const RootedCall c(call, rank);
    MPI_Datatype send_handle = call.send_type, recv_handle = call.recv_type;
    std::int64_t own = 0, all = 0;
    if (!valid_own(c, c.of_own(send_handle, recv_handle), c.of_own(send, recv), &own)) return false;
    if (c.root && !valid_all(c, p, c.of_all(send_handle, recv_handle), c.of_all(send, recv), &all))
        return false;
    *bytes = c.gathers ? own : all;
    return true;
}

int gatherv(const ServedCall& f) {
    NonuniformWorkspace& w = f.nonuniform;
    const RootedCall c(f.call, f.state.rank);
    const UserBlocks all = all_blocks(c, f.state.size, c.of_all(f.send, f.recv)),
                     own = own_block(c, c.of_own(f.send, f.recv));
    const UserBlocks &from = c.gathers ? own : all, &to = c.gathers ? all : own;
    const int mine = c.root && !c.in_place ? hand_over(from, to, f.call.root, w.out) : MPI_SUCCESS;
    w.max_bytes = 0;
    const int others = run_nonuniform(f.plan, from, to, f.endpoint, w);
    return others != MPI_SUCCESS ? others : mine;
}

bool valid_neighbors(const Call& c, Type* send, Type* recv, std::int64_t* bytes) {
    if (c.send == MPI_IN_PLACE || c.recv == MPI_IN_PLACE) return false;
    *send = describe(c.send_type);
    *recv = describe(c.recv_type);
    if (!send->usable || !recv->usable || (c.counts && !c.displacements) ||
        (c.send_counts && !c.send_displacements))
        return false;
    *bytes = sent_to_neighbors(c, *send).all();
    if (*bytes < 0 || received_from_neighbors(c, *recv).all() < 0) return false;
    return c.neighbor_blocks() == NeighborBlocks::each ||
           !__builtin_mul_overflow(*bytes, std::int64_t{c.sent_blocks(0)}, bytes);
}

int neighbors(const ServedCall& f) {
    f.nonuniform.max_bytes = 0;
    return run_nonuniform(f.plan, sent_to_neighbors(f.call, f.send),
                          received_from_neighbors(f.call, f.recv), f.endpoint, f.nonuniform);
}

int learn_sizes(const ServedCall& f) {
    Recalled& sizes = f.nonuniform.recalled[f.plan.number];
    if (f.call.neighbors)
        return learn_sizes(f.plan, sent_to_neighbors(f.call, f.send),
                           received_from_neighbors(f.call, f.recv), true, f.endpoint,
                           f.state.user(), sizes);
    const int p = f.state.size;
    const UserBlocks recv = receiving(f.call, p, f.recv);
    const UserBlocks send = f.call.send == MPI_IN_PLACE ? recv : sending(f.call, p, f.send);
    return learn_sizes(f.plan, send, recv, send.bytes(f.state.rank) == recv.bytes(f.state.rank),
                       f.endpoint, f.state.user(), sizes);
}

}  // namespace hopbine::mpi
