#include "mpi/state/tag_space.hpp"

#include <algorithm>
#include <cstdint>
#include <mutex>

namespace hopbine::mpi {

namespace {

constexpr int kNone = 1 << 30;
std::mutex lock;
std::vector<bool> taken;
std::size_t lowest = 0;  ///< no lower space is free

/// Number of spaces below the largest tag.
int limit() {
    static const int spaces = [] {
        int *largest = nullptr, found = 0;
        PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &largest, &found);
        constexpr int kPromised = 32767;  // the least that MPI guarantees
        return (found ? *largest : kPromised) / kTagsEach;
    }();
    return spaces;
}

/// Allocates the lowest free space: ranks mostly get the same one.
int take() {
    const std::lock_guard hold(lock);
    std::size_t& at = lowest;
    while (at < taken.size() && taken[at]) ++at;
    if (at >= static_cast<std::size_t>(limit())) return kNone;
    if (at == taken.size()) taken.push_back(false);
    taken[at] = true;
    return static_cast<int>(at);
}

void give_back(int space) {
    const std::lock_guard hold(lock);
    taken[static_cast<std::size_t>(space)] = false;
    lowest = std::min(lowest, static_cast<std::size_t>(space));
}

}  // namespace

TagSpace::~TagSpace() {
    if (is_open()) give_back(own_);
}

bool TagSpace::open(MPI_Comm user, int size, int* most_of_all) {
    const int mine = take();
    const std::int64_t told[3] = {mine, -mine, *most_of_all};
    std::int64_t most[3] = {};
    PMPI_Allreduce(told, most, 3, MPI_INT64_T, MPI_MAX, user);
    *most_of_all = static_cast<int>(most[2]);
    if (most[0] == kNone) {
        if (mine != kNone) give_back(mine);
        return false;
    }
    own_ = mine;
    if (most[0] == -most[1]) return true;
    others_.resize(static_cast<std::size_t>(size));
    const int first = tag();
    PMPI_Allgather(&first, 1, MPI_INT, others_.data(), 1, MPI_INT, user);
    return true;
}

}  // namespace hopbine::mpi
