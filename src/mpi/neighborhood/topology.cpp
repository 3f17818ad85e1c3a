#include "mpi/neighborhood/topology.hpp"

namespace hopbine::mpi {

namespace {

bool read_cart(MPI_Comm comm, Neighbors* out) {
    int dimensions = 0;
    if (PMPI_Cartdim_get(comm, &dimensions) != MPI_SUCCESS) return false;
    out->cartesian = true;
    for (int d = 0; d < dimensions; ++d) {
        int below = MPI_PROC_NULL, above = MPI_PROC_NULL;
        if (PMPI_Cart_shift(comm, d, 1, &below, &above) != MPI_SUCCESS) return false;
        out->destinations.push_back(below);
        out->destinations.push_back(above);
    }
    out->sources = out->destinations;
    return true;
}

bool read_graph(MPI_Comm comm, Neighbors* out) {
    int rank = 0, n = 0;
    PMPI_Comm_rank(comm, &rank);
    if (PMPI_Graph_neighbors_count(comm, rank, &n) != MPI_SUCCESS) return false;
    out->destinations.resize(static_cast<std::size_t>(n));
    if (PMPI_Graph_neighbors(comm, rank, n, out->destinations.data()) != MPI_SUCCESS) return false;
    out->sources = out->destinations;
    return true;
}

bool read_dist_graph(MPI_Comm comm, Neighbors* out) {
    int ins = 0, outs = 0, weighted = 0;
    if (PMPI_Dist_graph_neighbors_count(comm, &ins, &outs, &weighted) != MPI_SUCCESS) return false;
    out->sources.resize(static_cast<std::size_t>(ins));
    out->destinations.resize(static_cast<std::size_t>(outs));
    std::vector<int> in_weights(out->sources.size() + 1), out_weights(out->destinations.size() + 1);
    return PMPI_Dist_graph_neighbors(comm, ins, out->sources.data(),
                                     weighted ? in_weights.data() : MPI_UNWEIGHTED, outs,
                                     out->destinations.data(),
                                     weighted ? out_weights.data() : MPI_UNWEIGHTED) == MPI_SUCCESS;
}

}  // namespace

std::optional<Neighbors> read_topology(MPI_Comm comm) {
    int kind = MPI_UNDEFINED;
    if (PMPI_Topo_test(comm, &kind) != MPI_SUCCESS) return std::nullopt;
    Neighbors out;
    const bool read = kind == MPI_CART         ? read_cart(comm, &out)
                      : kind == MPI_GRAPH      ? read_graph(comm, &out)
                      : kind == MPI_DIST_GRAPH ? read_dist_graph(comm, &out)
                                               : false;
    if (!read) return std::nullopt;
    for (std::vector<int>* ranks : {&out.sources, &out.destinations})
        for (int& r : *ranks)
            if (r == MPI_PROC_NULL) r = -1;
    return out;
}

}  // namespace hopbine::mpi
