// One-sided functions, which the MPI library serves: sums of theirs are not exact.
#include "mpi/state/passing.hpp"
#include "mpi/state/world.hpp"
#include "mpi/sums/not_exact.hpp"
#include "mpi/sums/summand.hpp"
#include "runtime/settings.hpp"

namespace hopbine::mpi {

namespace {

int pass_accumulate(const char* function, MPI_Datatype type, MPI_Op op) {
    if (op == MPI_SUM && World::alive() && summand_of(type).rounds)
        note_not_exact(function, type, "one-sided");
    return kPass;
}

}  // namespace

}  // namespace hopbine::mpi

using namespace hopbine::mpi;

#define HOPBINE_ACCUMULATE(name, ...) \
    int hopbine_MPI_##name(__VA_ARGS__) { return pass_accumulate("MPI_" #name, type, op); }
#define HOPBINE_ACCUMULATE_FORMS(suffix, Count)                                                   \
    HOPBINE_ACCUMULATE(Accumulate##suffix, const void*, Count, MPI_Datatype type, int, MPI_Aint,  \
                       Count, MPI_Datatype, MPI_Op op, MPI_Win)                                   \
    HOPBINE_ACCUMULATE(Raccumulate##suffix, const void*, Count, MPI_Datatype type, int, MPI_Aint, \
                       Count, MPI_Datatype, MPI_Op op, MPI_Win, MPI_Request*)                     \
    HOPBINE_ACCUMULATE(Get_accumulate##suffix, const void*, Count, MPI_Datatype type, void*,      \
                       Count, MPI_Datatype, int, MPI_Aint, Count, MPI_Datatype, MPI_Op op,        \
                       MPI_Win)                                                                   \
    HOPBINE_ACCUMULATE(Rget_accumulate##suffix, const void*, Count, MPI_Datatype type, void*,     \
                       Count, MPI_Datatype, int, MPI_Aint, Count, MPI_Datatype, MPI_Op op,        \
                       MPI_Win, MPI_Request*)

extern "C" {
HOPBINE_ACCUMULATE_FORMS(, int)
HOPBINE_ACCUMULATE_FORMS(_c, MPI_Count)
HOPBINE_ACCUMULATE(Fetch_and_op, const void*, void*, MPI_Datatype type, int, MPI_Aint, MPI_Op op,
                   MPI_Win)

/// Whether the functions above are to be called.
int hopbine_exact_sums(void) { return settings().exact_sums; }
}
