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

bool read_topology(MPI_Comm comm, Neighbors* out) {
    int kind = MPI_UNDEFINED;
    if (PMPI_Topo_test(comm, &kind) != MPI_SUCCESS) return false;
    const bool read = kind == MPI_CART         ? read_cart(comm, out)
                      : kind == MPI_GRAPH      ? read_graph(comm, out)
                      : kind == MPI_DIST_GRAPH ? read_dist_graph(comm, out)
                                               : false;
    for (std::vector<int>* ranks : {&out->sources, &out->destinations})
        for (int& r : *ranks)
            if (r == MPI_PROC_NULL) r = -1;
    return read;
}

namespace {

using Words = std::vector<int>;

void append(const Neighbors& of, Words* out) {
    out->insert(out->end(), {of.cartesian, of.ins(), of.outs()});
    out->insert(out->end(), of.sources.begin(), of.sources.end());
    out->insert(out->end(), of.destinations.begin(), of.destinations.end());
}

Neighbors read(Words::const_iterator& at) {
    Neighbors out;
    out.cartesian = *at++ != 0;
    const auto ins = *at++, outs = *at++;
    out.sources.assign(at, at + ins);
    at += ins;
    out.destinations.assign(at, at + outs);
    at += outs;
    return out;
}

int send_words(const Words& words, int to, const Endpoint& at) {
    const int length = static_cast<int>(words.size());
    HOPBINE_TRY(send(&length, 1, MPI_INT, to, kDataChannel, at));
    return send(words.data(), length, MPI_INT, to, kDataChannel, at);
}
/// Appends what is received.
int receive_words(Words* words, int from, const Endpoint& at) {
    int length = 0;
    HOPBINE_TRY(receive(&length, 1, MPI_INT, from, kDataChannel, at));
    words->resize(words->size() + static_cast<std::size_t>(length));
    return receive(words->data() + words->size() - length, length, MPI_INT, from, kDataChannel, at);
}

}  // namespace

int gather_neighbors(const Neighbors& mine, int rank, std::span<const int> members,
                     const Endpoint& at, std::vector<Neighbors>* out) {
    Words all;
    const int first = members.front();
    if (rank == first) {
        append(mine, &all);
        for (const int other : members.subspan(1)) HOPBINE_TRY(receive_words(&all, other, at));
        for (const int other : members.subspan(1)) HOPBINE_TRY(send_words(all, other, at));
    } else {
        Words told;
        append(mine, &told);
        HOPBINE_TRY(send_words(told, first, at));
        HOPBINE_TRY(receive_words(&all, first, at));
    }
    out->clear();
    for (auto word = all.cbegin(); word != all.cend();) out->push_back(read(word));
    return MPI_SUCCESS;
}

}  // namespace hopbine::mpi
