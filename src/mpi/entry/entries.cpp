// Entry points that the preload stubs call: MPI's own signatures, in the blocking, the nonblocking
// and the persistent form, for int and MPI_Count counts.
#include "mpi/entry/serve.hpp"

using hopbine::Collective;
using hopbine::mpi::make_persistent;

namespace {

/// Count of a call with an array of counts: 0, or -1 to refuse a call without the array.
inline std::int64_t known(const void* counts) { return counts ? 0 : -1; }

}  // namespace

#define HOPBINE_ENTRY(name) int hopbine_MPI_##name
#define LIST(...) __VA_ARGS__
/// Serves a blocking call: the members of Call.
#define HOPBINE_SERVE(...)                                                    \
    [&] {                                                                     \
        const int passes = hopbine::mpi::this_thread().passes({__VA_ARGS__}); \
        return passes ? passes : hopbine::mpi::serve({__VA_ARGS__});          \
    }()
/// Starts a nonblocking call.
#define HOPBINE_START(request, ...)                               \
    hopbine::mpi::this_thread().passes_nonblocking({__VA_ARGS__}) \
        ? hopbine::mpi::kPass                                     \
        : hopbine::mpi::start({__VA_ARGS__}, request)
/// All forms of a function: its parameters before the communicator, and the members of Call after
/// its collective.
#define HOPBINE_FORMS(name, iname, suffix, parameters, which, ...)                                 \
    HOPBINE_ENTRY(name##suffix)(LIST parameters, MPI_Comm comm) {                                  \
        return HOPBINE_SERVE(.collective = hopbine::Collective::which, __VA_ARGS__, .comm = comm); \
    }                                                                                              \
    HOPBINE_ENTRY(iname##suffix)(LIST parameters, MPI_Comm comm, MPI_Request * request) {          \
        return HOPBINE_START(request, .collective = hopbine::Collective::which, __VA_ARGS__,       \
                             .comm = comm);                                                        \
    }                                                                                              \
    HOPBINE_ENTRY(name##_init##suffix)(LIST parameters, MPI_Comm comm, MPI_Info,                   \
                                       MPI_Request * request) {                                    \
        return hopbine::mpi::make_persistent(                                                      \
            {.collective = hopbine::Collective::which, __VA_ARGS__, .comm = comm}, request);       \
    }
#define SENT(buffer, n, type) .send = buffer, .send_count = n, .send_type = type
#define RECEIVED(buffer, n, type) .recv = buffer, .recv_count = n, .recv_type = type

// clang-format off
#define HOPBINE_ENTRIES(suffix, Count, Displacement)                                               \
    HOPBINE_FORMS(Bcast, Ibcast, suffix,                                                           \
                  (void* buffer, Count n, MPI_Datatype type, int root),                            \
                  bcast, RECEIVED(buffer, n, type), .root = root)                                  \
    HOPBINE_FORMS(Reduce, Ireduce, suffix,                                                         \
                  (const void* send, void* recv, Count n, MPI_Datatype type, MPI_Op op, int root), \
                  reduce, .send = send, RECEIVED(recv, n, type), .op = op, .root = root)           \
    HOPBINE_FORMS(Allreduce, Iallreduce, suffix,                                                   \
                  (const void* send, void* recv, Count n, MPI_Datatype type, MPI_Op op),           \
                  allreduce, .send = send, RECEIVED(recv, n, type), .op = op)                      \
    HOPBINE_FORMS(Scan, Iscan, suffix,                                                             \
                  (const void* send, void* recv, Count n, MPI_Datatype type, MPI_Op op),           \
                  scan, .send = send, RECEIVED(recv, n, type), .op = op)                           \
    HOPBINE_FORMS(Exscan, Iexscan, suffix,                                                         \
                  (const void* send, void* recv, Count n, MPI_Datatype type, MPI_Op op),           \
                  exscan, .send = send, RECEIVED(recv, n, type), .op = op)                         \
    HOPBINE_FORMS(Reduce_scatter, Ireduce_scatter, suffix,                                         \
                  (const void* send, void* recv, const Count counts[], MPI_Datatype type, MPI_Op   \
                  op),                                                                             \
                  reduce_scatter, .send = send, RECEIVED(recv, known(counts), type), .counts =     \
                  counts, .op = op)                                                                \
    HOPBINE_FORMS(Reduce_scatter_block, Ireduce_scatter_block, suffix,                             \
                  (const void* send, void* recv, Count n, MPI_Datatype type, MPI_Op op),           \
                  reduce_scatter, .send = send, RECEIVED(recv, n, type), .op = op)                 \
    HOPBINE_FORMS(Gather, Igather, suffix,                                                         \
                  (const void* send, Count n, MPI_Datatype st, void* recv, Count m, MPI_Datatype   \
                  rt, int root),                                                                   \
                  gather, SENT(send, n, st), RECEIVED(recv, m, rt), .root = root)                  \
    HOPBINE_FORMS(Scatter, Iscatter, suffix,                                                       \
                  (const void* send, Count n, MPI_Datatype st, void* recv, Count m, MPI_Datatype   \
                  rt, int root),                                                                   \
                  scatter, SENT(send, n, st), RECEIVED(recv, m, rt), .root = root)                 \
    HOPBINE_FORMS(Gatherv, Igatherv, suffix,                                                       \
                  (const void* send, Count n, MPI_Datatype st, void* recv, const Count rc[], const \
                  Displacement rd[], MPI_Datatype rt, int root),                                   \
                  gather, SENT(send, n, st), RECEIVED(recv, 0, rt), .counts = rc, .displacements = \
                  rd, .root = root, .varies = true)                                                \
    HOPBINE_FORMS(Scatterv, Iscatterv, suffix,                                                     \
                  (const void* send, const Count sc[], const Displacement sd[], MPI_Datatype st,   \
                  void* recv, Count m, MPI_Datatype rt, int root),                                 \
                  scatter, SENT(send, 0, st), RECEIVED(recv, m, rt), .send_counts = sc,            \
                  .send_displacements = sd, .root = root, .varies = true)                          \
    HOPBINE_FORMS(Allgather, Iallgather, suffix,                                                   \
                  (const void* send, Count n, MPI_Datatype st, void* recv, Count m, MPI_Datatype   \
                  rt),                                                                             \
                  allgather, SENT(send, n, st), RECEIVED(recv, m, rt))                             \
    HOPBINE_FORMS(Allgatherv, Iallgatherv, suffix,                                                 \
                  (const void* send, Count n, MPI_Datatype st, void* recv, const Count rc[], const \
                  Displacement rd[], MPI_Datatype rt),                                             \
                  allgather, SENT(send, n, st), RECEIVED(recv, known(rc), rt), .counts = rc,       \
                  .displacements = rd)                                                             \
    HOPBINE_FORMS(Alltoall, Ialltoall, suffix,                                                     \
                  (const void* send, Count n, MPI_Datatype st, void* recv, Count m, MPI_Datatype   \
                  rt),                                                                             \
                  alltoall, SENT(send, n, st), RECEIVED(recv, m, rt))                              \
    HOPBINE_FORMS(Alltoallv, Ialltoallv, suffix,                                                   \
                  (const void* send, const Count sc[], const Displacement sd[], MPI_Datatype st,   \
                  void* recv, const Count rc[], const Displacement rd[], MPI_Datatype rt),         \
                  alltoallv, SENT(send, 0, st), RECEIVED(recv, 0, rt), .counts = rc,               \
                  .displacements = rd, .send_counts = sc, .send_displacements = sd, .varies =      \
                  true)
#define HOPBINE_NEIGHBOR_ENTRIES(suffix, Count, Displacement)                                      \
    HOPBINE_FORMS(Neighbor_allgather, Ineighbor_allgather, suffix,                                 \
                  (const void* send, Count n, MPI_Datatype st, void* recv, Count m, MPI_Datatype   \
                  rt),                                                                             \
                  allgather, SENT(send, n, st), RECEIVED(recv, m, rt), .varies = true,             \
                  .among_neighbors = true)                                                         \
    HOPBINE_FORMS(Neighbor_allgatherv, Ineighbor_allgatherv, suffix,                               \
                  (const void* send, Count n, MPI_Datatype st, void* recv, const Count rc[], const \
                  Displacement rd[], MPI_Datatype rt),                                             \
                  allgather, SENT(send, n, st), RECEIVED(recv, known(rc), rt), .counts = rc,       \
                  .displacements = rd, .varies = true, .among_neighbors = true)                    \
    HOPBINE_FORMS(Neighbor_alltoall, Ineighbor_alltoall, suffix,                                   \
                  (const void* send, Count n, MPI_Datatype st, void* recv, Count m, MPI_Datatype   \
                  rt),                                                                             \
                  alltoallv, SENT(send, n, st), RECEIVED(recv, m, rt), .varies = true,             \
                  .among_neighbors = true)                                                         \
    HOPBINE_FORMS(Neighbor_alltoallv, Ineighbor_alltoallv, suffix,                                 \
                  (const void* send, const Count sc[], const Displacement sd[], MPI_Datatype st,   \
                  void* recv, const Count rc[], const Displacement rd[], MPI_Datatype rt),         \
                  alltoallv, SENT(send, known(sc), st), RECEIVED(recv, known(rc), rt), .counts =   \
                  rc, .displacements = rd, .send_counts = sc, .send_displacements = sd, .varies =  \
                  true, .among_neighbors = true)
// clang-format on

extern "C" {
HOPBINE_ENTRIES(, int, int)
HOPBINE_ENTRIES(_c, MPI_Count, MPI_Aint)
HOPBINE_NEIGHBOR_ENTRIES(, int, int)
HOPBINE_NEIGHBOR_ENTRIES(_c, MPI_Count, MPI_Aint)

HOPBINE_ENTRY(Barrier)(MPI_Comm comm) {
    return HOPBINE_SERVE(.collective = Collective::barrier, .comm = comm);
}
HOPBINE_ENTRY(Ibarrier)(MPI_Comm comm, MPI_Request* request) {
    return HOPBINE_START(request, .collective = Collective::barrier, .comm = comm);
}
HOPBINE_ENTRY(Barrier_init)(MPI_Comm comm, MPI_Info, MPI_Request* request) {
    return make_persistent({.collective = Collective::barrier, .comm = comm}, request);
}
}
