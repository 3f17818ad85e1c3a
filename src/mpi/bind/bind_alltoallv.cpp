#include "mpi/bind/bind_alltoallv.hpp"

#include "mpi/alltoallv/learn_sizes.hpp"
#include "mpi/execute/try.hpp"

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

int learn_alltoallv(const ServedCall& f) {
    const int p = f.state.size;
    const UserBlocks recv = receiving(f.call, p, f.recv);
    const UserBlocks send = f.call.send == MPI_IN_PLACE ? recv : sending(f.call, p, f.send);
    return learn_sizes(f.plan, send, recv, send.bytes(f.state.rank) == recv.bytes(f.state.rank),
                       f.endpoint, f.state.user(), f.nonuniform.recalled[f.plan.number]);
}

}  // namespace hopbine::mpi
