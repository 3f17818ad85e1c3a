#include "mpi/bind/bind_gatherv.hpp"

#include "mpi/execute/try.hpp"
#include "mpi/execute/user_blocks.hpp"

namespace hopbine::mpi {

namespace {

/// The call as both collectives have it: at the root a buffer of all blocks, everywhere one of the
/// rank's own.
struct Ends {
    bool gathers, root;
    const void *all, *own;
    std::int64_t own_count;
    bool in_place;  ///< the root's own block stays where it is

    Ends(const Call& c, int rank)
        : gathers(c.collective == Collective::gather),
          root(rank == c.root),
          all(gathers ? c.recv : c.send),
          own(gathers ? c.send : c.recv),
          own_count(gathers ? c.send_count : c.recv_count),
          in_place(own == MPI_IN_PLACE) {}
    Array counts(const Call& c) const { return gathers ? c.counts : c.send_counts; }
    Array displacements(const Call& c) const {
        return gathers ? c.displacements : c.send_displacements;
    }
    UserBlocks all_blocks(const Call& c, int p, const Type& type) const {
        return {all, root ? p : 0, counts(c), displacements(c), type};
    }
    UserBlocks own_block(const Type& type) const {
        return {in_place ? nullptr : own, in_place ? 0 : own_count, type};
    }
};

}  // namespace

bool sound_gatherv(const Call& c, int rank, int p, Type* send, Type* recv, std::int64_t* bytes) {
    const Ends e(c, rank);
    Type &all_type = e.gathers ? *recv : *send, &own_type = e.gathers ? *send : *recv;
    if (e.in_place && !e.root) return false;
    if (!e.in_place) own_type = describe(e.gathers ? c.send_type : c.recv_type);
    const std::int64_t own = e.in_place ? 0 : e.own_block(own_type).all();
    if (own < 0 || (!e.in_place && !own_type.usable)) return false;
    *bytes = e.gathers ? own : 0;
    if (!e.root) return true;
    all_type = describe(e.gathers ? c.recv_type : c.send_type);
    if (!all_type.usable || !e.counts(c) || !e.displacements(c)) return false;
    const UserBlocks all = e.all_blocks(c, p, all_type);
    const std::int64_t sum = all.all();
    if (!e.gathers) *bytes = sum;
    return sum >= 0;
}

int gatherv(const ServedCall& f) {
    NonuniformWorkspace& w = f.state.nonuniform;
    const Ends e(f.call, f.state.rank);
    const UserBlocks all = e.all_blocks(f.call, f.state.size, e.gathers ? f.recv : f.send),
                     own = e.own_block(e.gathers ? f.send : f.recv);
    const UserBlocks &from = e.gathers ? own : all, &to = e.gathers ? all : own;
    const int mine = e.root && !e.in_place ? hand_over(from, to, f.call.root, w.out) : MPI_SUCCESS;
    w.max_bytes = 0;
    const int others = run_nonuniform(f.plan, from, to, f.state.endpoint(), f.state.user(), w);
    return others != MPI_SUCCESS ? others : mine;
}

}  // namespace hopbine::mpi
