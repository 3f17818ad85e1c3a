#include "mpi/arguments/library_call.hpp"

#include <climits>

#include "mpi/state/passing.hpp"

extern "C" void hopbine_passed(int error);

namespace hopbine::mpi {

namespace {

#define HOPBINE_PRAGMA(text) _Pragma(#text)
/// Calls a function of MPI, or starts it where there is a request, with int or MPI_Count counts.
/// Those with MPI_Count are weak: libraries of MPI 3 have none, and a runtime must load there too.
#define HOPBINE_LIBRARY(name, iname, ...)                                      \
    [&] {                                                                      \
        HOPBINE_PRAGMA(weak PMPI_##name##_c)                                   \
        HOPBINE_PRAGMA(weak PMPI_##iname##_c)                                  \
        if constexpr (sizeof(Count) == sizeof(int))                            \
            return request_ ? PMPI_##iname(__VA_ARGS__, c_.comm, request_)     \
                            : PMPI_##name(__VA_ARGS__, c_.comm);               \
        else                                                                   \
            return request_ ? PMPI_##iname##_c(__VA_ARGS__, c_.comm, request_) \
                            : PMPI_##name##_c(__VA_ARGS__, c_.comm);           \
    }()
// Arguments that functions share.
#define VECTOR c_.send, c_.recv, received_, c_.recv_type, c_.op
#define BLOCKS c_.send, sent_, c_.send_type, c_.recv, received_, c_.recv_type
#define GATHERED c_.send, sent_, c_.send_type, c_.recv, counts_, places_, c_.recv_type
#define SCATTERED \
    c_.send, send_counts_, send_places_, c_.send_type, c_.recv, received_, c_.recv_type
#define EXCHANGED \
    c_.send, send_counts_, send_places_, c_.send_type, c_.recv, counts_, places_, c_.recv_type

/// With counts and displacements of these types.
template <class Count, class Displacement>
class LibraryCall {
public:
    LibraryCall(const Call& c, MPI_Request* request)
        : c_(c),
          request_(request),
          sent_(static_cast<Count>(c.send_count)),
          received_(static_cast<Count>(c.recv_count)),
          send_counts_(static_cast<const Count*>(c.send_counts.data())),
          counts_(static_cast<const Count*>(c.counts.data())),
          send_places_(static_cast<const Displacement*>(c.send_displacements.data())),
          places_(static_cast<const Displacement*>(c.displacements.data())) {}

    int make() const {
        if (c_.among_neighbors) return among_neighbors();
        if (reduces(c_.collective)) return reduction();
        switch (c_.collective) {
        case Collective::bcast:
            return HOPBINE_LIBRARY(Bcast, Ibcast, c_.recv, received_, c_.recv_type, c_.root);
        case Collective::gather:
            return c_.varies ? HOPBINE_LIBRARY(Gatherv, Igatherv, GATHERED, c_.root)
                             : HOPBINE_LIBRARY(Gather, Igather, BLOCKS, c_.root);
        case Collective::scatter:
            return c_.varies ? HOPBINE_LIBRARY(Scatterv, Iscatterv, SCATTERED, c_.root)
                             : HOPBINE_LIBRARY(Scatter, Iscatter, BLOCKS, c_.root);
        case Collective::allgather:
            return counts_ ? HOPBINE_LIBRARY(Allgatherv, Iallgatherv, GATHERED)
                           : HOPBINE_LIBRARY(Allgather, Iallgather, BLOCKS);
        case Collective::alltoall: return HOPBINE_LIBRARY(Alltoall, Ialltoall, BLOCKS);
        case Collective::alltoallv: return HOPBINE_LIBRARY(Alltoallv, Ialltoallv, EXCHANGED);
        default: return request_ ? PMPI_Ibarrier(c_.comm, request_) : PMPI_Barrier(c_.comm);
        }
    }

private:
    int reduction() const {
        switch (c_.collective) {
        case Collective::reduce: return HOPBINE_LIBRARY(Reduce, Ireduce, VECTOR, c_.root);
        case Collective::allreduce: return HOPBINE_LIBRARY(Allreduce, Iallreduce, VECTOR);
        case Collective::scan: return HOPBINE_LIBRARY(Scan, Iscan, VECTOR);
        case Collective::exscan: return HOPBINE_LIBRARY(Exscan, Iexscan, VECTOR);
        default: break;
        }
        return counts_ ? HOPBINE_LIBRARY(Reduce_scatter, Ireduce_scatter, c_.send, c_.recv, counts_,
                                         c_.recv_type, c_.op)
                       : HOPBINE_LIBRARY(Reduce_scatter_block, Ireduce_scatter_block, VECTOR);
    }
    int among_neighbors() const {
        if (c_.collective == Collective::allgather)
            return counts_ ? HOPBINE_LIBRARY(Neighbor_allgatherv, Ineighbor_allgatherv, GATHERED)
                           : HOPBINE_LIBRARY(Neighbor_allgather, Ineighbor_allgather, BLOCKS);
        return counts_ ? HOPBINE_LIBRARY(Neighbor_alltoallv, Ineighbor_alltoallv, EXCHANGED)
                       : HOPBINE_LIBRARY(Neighbor_alltoall, Ineighbor_alltoall, BLOCKS);
    }

    const Call& c_;
    MPI_Request* const request_;
    const Count sent_, received_;
    const Count *send_counts_, *counts_;
    const Displacement *send_places_, *places_;
};

#undef HOPBINE_LIBRARY

#if MPI_VERSION >= 4
/// Whether the program has called a function with MPI_Count counts, and an int cannot have them.
bool is_wide(const Call& c) {
    return c.counts.wide() || c.send_counts.wide() || c.send_count > INT_MAX ||
           c.recv_count > INT_MAX;
}
#endif

}  // namespace

int call_library(const Call& c, MPI_Request* request) {
#if MPI_VERSION >= 4
    if (is_wide(c)) return LibraryCall<MPI_Count, MPI_Aint>(c, request).make();
#endif
    return LibraryCall<int, int>(c, request).make();
}

int complete(int code, const Call& c) {
    if (!is_passed(code)) return code;
    const int error = call_library(c);
    if (is_told(code, error)) hopbine_passed(error);
    return error;
}

}  // namespace hopbine::mpi
