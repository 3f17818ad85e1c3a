#include "mpi/bind/bind_neighbors.hpp"

#include "mpi/alltoallv/learn_sizes.hpp"

namespace hopbine::mpi {

namespace {

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

int learn_neighbors(const ServedCall& f) {
    return learn_sizes(f.plan, sent_to_neighbors(f.call, f.send),
                       received_from_neighbors(f.call, f.recv), true, f.endpoint, f.state.user(),
                       f.nonuniform.recalled[f.plan.number]);
}

}  // namespace hopbine::mpi
