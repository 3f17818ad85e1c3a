#include "mpi/requests/kept_arrays.hpp"

#include <tuple>

namespace hopbine::mpi {

void KeptArrays::keep(Call& c, const Communicator& state) {
    const bool all = !c.varies || !rooted(c.collective) || state.rank == c.root,
               sends = all && c.send != MPI_IN_PLACE;
    const int in = c.received_blocks(state.size), out = c.sent_blocks(state.size);
    const std::tuple<Array*, bool, int> arrays[] = {{&c.counts, all, in},
                                                    {&c.displacements, all, in},
                                                    {&c.send_counts, sends, out},
                                                    {&c.send_displacements, sends, out}};
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
        const auto& [array, significant, length] = arrays[i];
        if (!*array || !significant) continue;
        numbers_[i].clear();
        for (int b = 0; b < length; ++b) numbers_[i].push_back((*array)[b]);
        *array = numbers_[i].data();
    }
}

}  // namespace hopbine::mpi
