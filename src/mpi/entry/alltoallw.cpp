// MPI_Alltoallw in all forms: never served, and counted where statistics are kept.
#include <algorithm>

#include "mpi/entry/serve.hpp"
#include "mpi/state/world.hpp"
#include "runtime/settings.hpp"
#include "select/size_class.hpp"

namespace hopbine::mpi {

namespace {

/// Blocks of one side of the call.
struct Blocks {
    Array counts;
    const MPI_Datatype* types;
};

/// Bytes of the blocks for `p` ranks, as far as the arguments are valid.
std::int64_t bytes_of(const Blocks& blocks, int p) {
    std::int64_t all = 0;
    for (int r = 0; blocks.counts && blocks.types && r < p; ++r) {
        int size = 0;
        if (blocks.types[r] != MPI_DATATYPE_NULL) PMPI_Type_size(blocks.types[r], &size);
        all += std::max<std::int64_t>(0, blocks.counts[r]) * std::max(0, size);
    }
    return all;
}

/// Counts the call, which the MPI library serves.
int pass(Form form, const void* send, const Blocks& sent, const Blocks& received, MPI_Comm comm) {
    if (settings().stats.empty() || !World::alive() || comm == MPI_COMM_NULL) return kPass;
    int rank = 0, size = 0, peers = 0;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    intercommunicates(comm) ? PMPI_Comm_remote_size(comm, &peers) : PMPI_Comm_size(comm, &peers);
    StatRow* const row =
        row_here(stat_row({size, "alltoallw", form, -1, select::size_class(select::kUnknown),
                           select::kLibrary, "", "", "the types of its blocks differ by rank"}));
    row->add(rank, bytes_of(send == MPI_IN_PLACE ? received : sent, peers), 0);
    Last& last = this_thread().last;
    last.served = select::kLibrary;
    if (form != Form::blocking) return kPass;
    last = {.row = row, .began = now()};
    return kPassTimed;
}

}  // namespace

}  // namespace hopbine::mpi

using namespace hopbine::mpi;

#define HOPBINE_ALLTOALLW(name, form, Count, Displacement, ...)                                    \
    int hopbine_MPI_##name(const void* send, const Count sc[], const Displacement[],               \
                           const MPI_Datatype st[], void*, const Count rc[], const Displacement[], \
                           const MPI_Datatype rt[], MPI_Comm comm __VA_OPT__(, ) __VA_ARGS__) {    \
        return pass(Form::form, send, {sc, st}, {rc, rt}, comm);                                   \
    }
#define HOPBINE_ALLTOALLW_FORMS(suffix, Count, Displacement)                              \
    HOPBINE_ALLTOALLW(Alltoallw##suffix, blocking, Count, Displacement)                   \
    HOPBINE_ALLTOALLW(Ialltoallw##suffix, nonblocking, Count, Displacement, MPI_Request*) \
    HOPBINE_ALLTOALLW(Alltoallw_init##suffix, persistent, Count, Displacement, MPI_Info,  \
                      MPI_Request*)

extern "C" {
HOPBINE_ALLTOALLW_FORMS(, int, int)
HOPBINE_ALLTOALLW_FORMS(_c, MPI_Count, MPI_Aint)
}
