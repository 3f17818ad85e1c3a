// The functions the preload stub calls: MPI's own signatures, for int and MPI_Count counts.
#include "mpi/call.hpp"

using hopbine::Collective;
using hopbine::mpi::alltoallv_call;
using hopbine::mpi::serve;

/// The count of a call that has an array of them: none, or where the array is missing one that is
/// refused.
static std::int64_t known(const void* counts) { return counts ? 0 : -1; }

#define HOPBINE_EXPORT __attribute__((visibility("default")))

#define HOPBINE_ENTRIES(suffix, Count, Displacement)                                               \
    HOPBINE_EXPORT int hopbine_MPI_Bcast##suffix(void* buffer, Count count, MPI_Datatype type,     \
                                                 int root, MPI_Comm comm) {                        \
        return serve({.collective = Collective::bcast,                                             \
                      .recv = buffer,                                                              \
                      .recv_count = count,                                                         \
                      .recv_type = type,                                                           \
                      .root = root,                                                                \
                      .comm = comm});                                                              \
    }                                                                                              \
    HOPBINE_EXPORT int hopbine_MPI_Reduce##suffix(const void* send, void* recv, Count count,       \
                                                  MPI_Datatype type, MPI_Op op, int root,          \
                                                  MPI_Comm comm) {                                 \
        return serve({.collective = Collective::reduce,                                            \
                      .send = send,                                                                \
                      .recv = recv,                                                                \
                      .recv_count = count,                                                         \
                      .recv_type = type,                                                           \
                      .op = op,                                                                    \
                      .root = root,                                                                \
                      .comm = comm});                                                              \
    }                                                                                              \
    HOPBINE_EXPORT int hopbine_MPI_Allreduce##suffix(                                              \
        const void* send, void* recv, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {  \
        return serve({.collective = Collective::allreduce,                                         \
                      .send = send,                                                                \
                      .recv = recv,                                                                \
                      .recv_count = count,                                                         \
                      .recv_type = type,                                                           \
                      .op = op,                                                                    \
                      .comm = comm});                                                              \
    }                                                                                              \
    HOPBINE_EXPORT int hopbine_MPI_Reduce_scatter##suffix(const void* send, void* recv,            \
                                                          const Count counts[], MPI_Datatype type, \
                                                          MPI_Op op, MPI_Comm comm) {              \
        return serve({.collective = Collective::reduce_scatter,                                    \
                      .send = send,                                                                \
                      .recv = recv,                                                                \
                      .recv_count = known(counts),                                                 \
                      .recv_type = type,                                                           \
                      .counts = counts,                                                            \
                      .op = op,                                                                    \
                      .comm = comm});                                                              \
    }                                                                                              \
    HOPBINE_EXPORT int hopbine_MPI_Reduce_scatter_block##suffix(                                   \
        const void* send, void* recv, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {  \
        return serve({.collective = Collective::reduce_scatter,                                    \
                      .send = send,                                                                \
                      .recv = recv,                                                                \
                      .recv_count = count,                                                         \
                      .recv_type = type,                                                           \
                      .op = op,                                                                    \
                      .comm = comm});                                                              \
    }                                                                                              \
    HOPBINE_EXPORT int hopbine_MPI_Gather##suffix(const void* send, Count n, MPI_Datatype st,      \
                                                  void* recv, Count m, MPI_Datatype rt, int root,  \
                                                  MPI_Comm comm) {                                 \
        return serve({Collective::gather,                                                          \
                      send,                                                                        \
                      n,                                                                           \
                      st,                                                                          \
                      recv,                                                                        \
                      m,                                                                           \
                      rt,                                                                          \
                      {},                                                                          \
                      {},                                                                          \
                      {},                                                                          \
                      {},                                                                          \
                      MPI_OP_NULL,                                                                 \
                      root,                                                                        \
                      comm});                                                                      \
    }                                                                                              \
    HOPBINE_EXPORT int hopbine_MPI_Scatter##suffix(const void* send, Count n, MPI_Datatype st,     \
                                                   void* recv, Count m, MPI_Datatype rt, int root, \
                                                   MPI_Comm comm) {                                \
        return serve({Collective::scatter,                                                         \
                      send,                                                                        \
                      n,                                                                           \
                      st,                                                                          \
                      recv,                                                                        \
                      m,                                                                           \
                      rt,                                                                          \
                      {},                                                                          \
                      {},                                                                          \
                      {},                                                                          \
                      {},                                                                          \
                      MPI_OP_NULL,                                                                 \
                      root,                                                                        \
                      comm});                                                                      \
    }                                                                                              \
    HOPBINE_EXPORT int hopbine_MPI_Gatherv##suffix(                                                \
        const void* send, Count n, MPI_Datatype st, void* recv, const Count rc[],                  \
        const Displacement rd[], MPI_Datatype rt, int root, MPI_Comm comm) {                       \
        return serve({.collective = Collective::gather,                                            \
                      .send = send,                                                                \
                      .send_count = n,                                                             \
                      .send_type = st,                                                             \
                      .recv = recv,                                                                \
                      .recv_type = rt,                                                             \
                      .counts = rc,                                                                \
                      .displacements = rd,                                                         \
                      .root = root,                                                                \
                      .comm = comm,                                                                \
                      .varies = true});                                                            \
    }                                                                                              \
    HOPBINE_EXPORT int hopbine_MPI_Scatterv##suffix(                                               \
        const void* send, const Count sc[], const Displacement sd[], MPI_Datatype st, void* recv,  \
        Count m, MPI_Datatype rt, int root, MPI_Comm comm) {                                       \
        return serve({.collective = Collective::scatter,                                           \
                      .send = send,                                                                \
                      .send_type = st,                                                             \
                      .recv = recv,                                                                \
                      .recv_count = m,                                                             \
                      .recv_type = rt,                                                             \
                      .send_counts = sc,                                                           \
                      .send_displacements = sd,                                                    \
                      .root = root,                                                                \
                      .comm = comm,                                                                \
                      .varies = true});                                                            \
    }                                                                                              \
    HOPBINE_EXPORT int hopbine_MPI_Allgather##suffix(const void* send, Count n, MPI_Datatype st,   \
                                                     void* recv, Count m, MPI_Datatype rt,         \
                                                     MPI_Comm comm) {                              \
        return serve({Collective::allgather,                                                       \
                      send,                                                                        \
                      n,                                                                           \
                      st,                                                                          \
                      recv,                                                                        \
                      m,                                                                           \
                      rt,                                                                          \
                      {},                                                                          \
                      {},                                                                          \
                      {},                                                                          \
                      {},                                                                          \
                      MPI_OP_NULL,                                                                 \
                      0,                                                                           \
                      comm});                                                                      \
    }                                                                                              \
    HOPBINE_EXPORT int hopbine_MPI_Allgatherv##suffix(                                             \
        const void* send, Count n, MPI_Datatype st, void* recv, const Count rc[],                  \
        const Displacement rd[], MPI_Datatype rt, MPI_Comm comm) {                                 \
        return serve({.collective = Collective::allgather,                                         \
                      .send = send,                                                                \
                      .send_count = n,                                                             \
                      .send_type = st,                                                             \
                      .recv = recv,                                                                \
                      .recv_count = known(rc),                                                     \
                      .recv_type = rt,                                                             \
                      .counts = rc,                                                                \
                      .displacements = rd,                                                         \
                      .comm = comm});                                                              \
    }                                                                                              \
    HOPBINE_EXPORT int hopbine_MPI_Alltoall##suffix(const void* send, Count n, MPI_Datatype st,    \
                                                    void* recv, Count m, MPI_Datatype rt,          \
                                                    MPI_Comm comm) {                               \
        return serve({Collective::alltoall,                                                        \
                      send,                                                                        \
                      n,                                                                           \
                      st,                                                                          \
                      recv,                                                                        \
                      m,                                                                           \
                      rt,                                                                          \
                      {},                                                                          \
                      {},                                                                          \
                      {},                                                                          \
                      {},                                                                          \
                      MPI_OP_NULL,                                                                 \
                      0,                                                                           \
                      comm});                                                                      \
    }                                                                                              \
    HOPBINE_EXPORT int hopbine_MPI_Alltoallv##suffix(                                              \
        const void* send, const Count sc[], const Displacement sd[], MPI_Datatype st, void* recv,  \
        const Count rc[], const Displacement rd[], MPI_Datatype rt, MPI_Comm comm) {               \
        return serve(alltoallv_call(send, sc, sd, st, recv, rc, rd, rt, comm));                    \
    }

extern "C" {
HOPBINE_ENTRIES(, int, int)
HOPBINE_ENTRIES(_c, MPI_Count, MPI_Aint)
}
