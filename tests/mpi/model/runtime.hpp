/// hopbine's runtime, once for every rank: copies of the library with globals of their own.
#pragma once
#include <mpi.h>

#include <climits>
#include <string>

namespace model {

/// What hopbine's functions return where the MPI library serves (src/mpi/entry/serve.hpp).
inline bool passed_on(int result) { return result == INT_MIN || result == INT_MIN + 1; }

// clang-format off
/// Collective functions, each in the blocking, the nonblocking and the persistent form.
#define MODEL_COLLECTIVES(X)                                                        \
    X(Bcast, Ibcast) X(Reduce, Ireduce) X(Allreduce, Iallreduce) X(Scan, Iscan)     \
    X(Exscan, Iexscan) X(Reduce_scatter, Ireduce_scatter)                           \
    X(Reduce_scatter_block, Ireduce_scatter_block) X(Gather, Igather)               \
    X(Scatter, Iscatter) X(Gatherv, Igatherv) X(Scatterv, Iscatterv)                \
    X(Allgather, Iallgather) X(Allgatherv, Iallgatherv) X(Alltoall, Ialltoall)      \
    X(Alltoallv, Ialltoallv) X(Barrier, Ibarrier)
// clang-format on

struct Runtime {
#define MODEL_DECLARE(name, iname) \
    decltype(&PMPI_##name) name;   \
    decltype(&PMPI_##iname) iname; \
    decltype(&PMPI_##name##_init) name##_init;
    MODEL_COLLECTIVES(MODEL_DECLARE)
#undef MODEL_DECLARE
    decltype(&PMPI_Start) Start;
    decltype(&PMPI_Request_free) Request_free;
    void (*begin)(int found);
    int (*finalize)(const void* counts);
    int (*select)(const char* algorithms);
};

/// Loads a copy of the library at `path` for each of `ranks` ranks. Ends the run where it cannot.
void load_runtimes(const std::string& path, int ranks);
const Runtime& runtime(int rank);

}  // namespace model
