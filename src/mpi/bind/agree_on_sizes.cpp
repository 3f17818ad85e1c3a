#include "mpi/bind/agree_on_sizes.hpp"

#include "mpi/alltoallv/learn_sizes.hpp"

namespace hopbine::mpi {

int agree_on_sizes(const ServedCall& f, const UserBlocks& send, const UserBlocks& recv,
                   bool own_fits) {
    const int told =
        learn_sizes(f.plan, send, recv, f.endpoint, f.nonuniform.recalled[f.plan.number]);
    const int mine = told == MPI_SUCCESS && !own_fits ? MPI_ERR_TRUNCATE : told;
    int any = MPI_SUCCESS;
    // All ranks return the error: a rank that continued would wait for ever.
    HOPBINE_TRY(PMPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, f.state.user()));
    return any;
}

}  // namespace hopbine::mpi
