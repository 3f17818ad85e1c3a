#include "mpi/entry/kept_arrays.hpp"

#include <utility>

namespace hopbine::mpi {

void KeptArrays::keep(Call& c, const Communicator& state) {
    const bool all = !c.varies || c.collective == Collective::alltoallv || state.rank == c.root,
               sends = all && c.send != MPI_IN_PLACE;
    const std::pair<Array*, bool> arrays[] = {{&c.counts, all},
                                              {&c.displacements, all},
                                              {&c.send_counts, sends},
                                              {&c.send_displacements, sends}};
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
        auto& [array, significant] = arrays[i];
        if (!*array || !significant) continue;
        numbers_[i].clear();
        for (int b = 0; b < state.size; ++b) numbers_[i].push_back((*array)[b]);
        *array = numbers_[i].data();
    }
}

}  // namespace hopbine::mpi
