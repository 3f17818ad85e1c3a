// Entry points that the preload stubs call: MPI's own signatures, for int and MPI_Count counts.
#include "mpi/entry/serve.hpp"

using hopbine::Collective;
using hopbine::mpi::alltoallv_call;
using hopbine::mpi::kPass;
using hopbine::mpi::library_serves;
using hopbine::mpi::serve;
using hopbine::mpi::this_thread;

/// Receive count of a call with an array of counts: 0, or -1 to refuse a call without the array.
static std::int64_t known(const void* counts) { return counts ? 0 : -1; }

#define HOPBINE_ENTRY(name) __attribute__((visibility("default"))) int hopbine_MPI_##name
/// Serves a call: the members of Call after its collective, and its communicator.
#define HOPBINE_SERVE(which, comm_, ...)               \
    auto& t = this_thread();                           \
    return library_serves(t, Collective::which, comm_) \
               ? kPass                                 \
               : serve(t, {.collective = Collective::which, __VA_ARGS__, .comm = comm_})
#define SENT(buffer, n, type) .send = buffer, .send_count = n, .send_type = type
#define RECEIVED(buffer, n, type) .recv = buffer, .recv_count = n, .recv_type = type

// clang-format off
#define HOPBINE_ENTRIES(suffix, Count, Displacement)                                               \
    HOPBINE_ENTRY(Bcast##suffix)(void* buffer, Count n, MPI_Datatype type, int root,               \
                                 MPI_Comm comm) {                                                  \
        HOPBINE_SERVE(bcast, comm, RECEIVED(buffer, n, type), .root = root);                       \
    }                                                                                              \
    HOPBINE_ENTRY(Reduce##suffix)(const void* send, void* recv, Count n, MPI_Datatype type,        \
                                  MPI_Op op, int root, MPI_Comm comm) {                            \
        HOPBINE_SERVE(reduce, comm, .send = send, RECEIVED(recv, n, type), .op = op,               \
                      .root = root);                                                               \
    }                                                                                              \
    HOPBINE_ENTRY(Allreduce##suffix)(const void* send, void* recv, Count n, MPI_Datatype type,     \
                                     MPI_Op op, MPI_Comm comm) {                                   \
        HOPBINE_SERVE(allreduce, comm, .send = send, RECEIVED(recv, n, type), .op = op);           \
    }                                                                                              \
    HOPBINE_ENTRY(Reduce_scatter##suffix)(const void* send, void* recv, const Count counts[],      \
                                          MPI_Datatype type, MPI_Op op, MPI_Comm comm) {           \
        HOPBINE_SERVE(reduce_scatter, comm, .send = send, RECEIVED(recv, known(counts), type),     \
                      .counts = counts, .op = op);                                                 \
    }                                                                                              \
    HOPBINE_ENTRY(Reduce_scatter_block##suffix)(const void* send, void* recv, Count n,             \
                                                MPI_Datatype type, MPI_Op op, MPI_Comm comm) {     \
        HOPBINE_SERVE(reduce_scatter, comm, .send = send, RECEIVED(recv, n, type), .op = op);      \
    }                                                                                              \
    HOPBINE_ENTRY(Gather##suffix)(const void* send, Count n, MPI_Datatype st, void* recv, Count m, \
                                  MPI_Datatype rt, int root, MPI_Comm comm) {                      \
        HOPBINE_SERVE(gather, comm, SENT(send, n, st), RECEIVED(recv, m, rt), .root = root);       \
    }                                                                                              \
    HOPBINE_ENTRY(Scatter##suffix)(const void* send, Count n, MPI_Datatype st, void* recv,         \
                                   Count m, MPI_Datatype rt, int root, MPI_Comm comm) {            \
        HOPBINE_SERVE(scatter, comm, SENT(send, n, st), RECEIVED(recv, m, rt), .root = root);      \
    }                                                                                              \
    HOPBINE_ENTRY(Gatherv##suffix)(const void* send, Count n, MPI_Datatype st, void* recv,         \
                                   const Count rc[], const Displacement rd[], MPI_Datatype rt,     \
                                   int root, MPI_Comm comm) {                                      \
        HOPBINE_SERVE(gather, comm, SENT(send, n, st), RECEIVED(recv, 0, rt), .counts = rc,        \
                      .displacements = rd, .root = root, .varies = true);                          \
    }                                                                                              \
    HOPBINE_ENTRY(Scatterv##suffix)(const void* send, const Count sc[], const Displacement sd[],   \
                                    MPI_Datatype st, void* recv, Count m, MPI_Datatype rt,         \
                                    int root, MPI_Comm comm) {                                     \
        HOPBINE_SERVE(scatter, comm, SENT(send, 0, st), RECEIVED(recv, m, rt), .send_counts = sc,  \
                      .send_displacements = sd, .root = root, .varies = true);                     \
    }                                                                                              \
    HOPBINE_ENTRY(Allgather##suffix)(const void* send, Count n, MPI_Datatype st, void* recv,       \
                                     Count m, MPI_Datatype rt, MPI_Comm comm) {                    \
        HOPBINE_SERVE(allgather, comm, SENT(send, n, st), RECEIVED(recv, m, rt));                  \
    }                                                                                              \
    HOPBINE_ENTRY(Allgatherv##suffix)(const void* send, Count n, MPI_Datatype st, void* recv,      \
                                      const Count rc[], const Displacement rd[], MPI_Datatype rt,  \
                                      MPI_Comm comm) {                                             \
        HOPBINE_SERVE(allgather, comm, SENT(send, n, st), RECEIVED(recv, known(rc), rt),           \
                      .counts = rc, .displacements = rd);                                          \
    }                                                                                              \
    HOPBINE_ENTRY(Alltoall##suffix)(const void* send, Count n, MPI_Datatype st, void* recv,        \
                                    Count m, MPI_Datatype rt, MPI_Comm comm) {                     \
        HOPBINE_SERVE(alltoall, comm, SENT(send, n, st), RECEIVED(recv, m, rt));                   \
    }                                                                                              \
    HOPBINE_ENTRY(Alltoallv##suffix)(const void* send, const Count sc[], const Displacement sd[],  \
                                     MPI_Datatype st, void* recv, const Count rc[],                \
                                     const Displacement rd[], MPI_Datatype rt, MPI_Comm comm) {    \
        auto& t = this_thread();                                                                   \
        if (library_serves(t, Collective::alltoallv, comm)) return kPass;                          \
        return serve(t, alltoallv_call(send, sc, sd, st, recv, rc, rd, rt, comm));                 \
    }
// clang-format on

extern "C" {
HOPBINE_ENTRIES(, int, int)
HOPBINE_ENTRIES(_c, MPI_Count, MPI_Aint)
}
