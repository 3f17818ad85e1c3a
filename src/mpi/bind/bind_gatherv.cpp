#include "mpi/bind/bind_gatherv.hpp"

#include "mpi/bind/rooted_call.hpp"
#include "mpi/execute/user_blocks.hpp"

namespace hopbine::mpi {

namespace {

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

}  // namespace

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

}  // namespace hopbine::mpi
