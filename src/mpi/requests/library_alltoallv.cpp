#include <dlfcn.h>

#include <array>
#include <map>
#include <mutex>
#include <vector>

#include "mpi/requests/persistent_call.hpp"
#include "mpi/state/errors.hpp"
#include "runtime/log.hpp"

namespace hopbine::mpi {

namespace {

/// MPI leaves it open whether the program must keep its arrays; hopbine's function does not.
struct Arrays {
    std::array<std::vector<int>, 4> numbers;
    const int* copy(std::size_t which, const Array& array, int p) {
        for (int b = 0; array && b < p; ++b) numbers[which].push_back(static_cast<int>(array[b]));
        return numbers[which].data();
    }
};

std::mutex lock;
std::map<MPI_Request, Arrays> all;

using Init = int (*)(const void*, const int[], const int[], MPI_Datatype, void*, const int[],
                     const int[], MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request*);

}  // namespace

int make_library_alltoallv(const Call& c, MPI_Request* request) {
    const auto init = reinterpret_cast<Init>(dlsym(RTLD_DEFAULT, "PMPI_Alltoallv_init"));
    if (!init) {
        say_once(
            "hopbine_alltoallv_init: the MPI library has no MPI_Alltoallv_init, and its "
            "progress cannot call hopbine.");
        return raise_later(c.comm, MPI_ERR_OTHER);
    }
    say_once(
        "hopbine_alltoallv_init: the MPI library's MPI_Alltoallv_init serves, since its "
        "progress cannot call hopbine.");
    int p = 0;
    PMPI_Comm_size(c.comm, &p);
    const bool in_place = c.send == MPI_IN_PLACE;
    const Array none;
    Arrays kept;
    const int *const sc = kept.copy(0, in_place ? none : c.send_counts, p),
                     *const sd = kept.copy(1, in_place ? none : c.send_displacements, p),
                     *const rc = kept.copy(2, c.counts, p),
                     *const rd = kept.copy(3, c.displacements, p);
    const int error = init(c.send, sc, sd, c.send_type, c.recv, rc, rd, c.recv_type, c.comm,
                           MPI_INFO_NULL, request);
    if (error != MPI_SUCCESS) return error;
    const std::lock_guard hold(lock);
    all[*request] = std::move(kept);  // moves no numbers
    return error;
}

void forget_library_alltoallv(MPI_Request request) {
    const std::lock_guard hold(lock);
    all.erase(request);
}

bool any_library_alltoallv() {
    const std::lock_guard hold(lock);
    return !all.empty();
}

}  // namespace hopbine::mpi
