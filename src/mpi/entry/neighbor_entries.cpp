// Entry points of the neighbourhood collectives; see entries.cpp.
#include "mpi/entry/forms.hpp"

using hopbine::mpi::known;

// clang-format off
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
HOPBINE_NEIGHBOR_ENTRIES(, int, int)
HOPBINE_NEIGHBOR_ENTRIES(_c, MPI_Count, MPI_Aint)
}
