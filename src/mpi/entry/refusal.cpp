#include "mpi/entry/refusal.hpp"

#include <algorithm>

#include "mpi/execute/private_comm.hpp"

namespace hopbine::mpi {

namespace {

/// The buffers of a call as this rank uses them; what is not significant is absent.
struct Buffers {
    bool sends, receives;
    bool may_send_in_place, may_receive_in_place;

    Buffers(const Call& c, int rank) {
        const bool root = rank == c.root, gathers = c.collective == Collective::gather,
                   scatters = c.collective == Collective::scatter;
        sends = c.collective != Collective::bcast && (!scatters || root);
        receives = (c.collective != Collective::reduce && !gathers) || root;
        may_send_in_place = sends && !scatters && (root || !rooted(c.collective));
        may_receive_in_place = scatters && root;
    }
};

bool any(const Array& counts, int p) {
    for (int b = 0; b < p; ++b)
        if (counts[b] != 0) return true;
    return false;
}

/// Has this rank something to send, where its send buffer is significant?
bool sends_some(const Call& c, int p, const Arguments& known) {
    if (reduces(c.collective)) return known.bytes > 0;
    if (c.send_counts) return any(c.send_counts, p) && known.send.size > 0;
    return c.send_count * known.send.size > 0;
}

/// Has it something to receive?
bool receives_some(const Call& c, int rank, int p, const Arguments& known) {
    if (c.collective == Collective::reduce_scatter && c.counts) return c.counts[rank] > 0;
    if (c.counts) return any(c.counts, p) && known.recv.size > 0;
    return c.recv_count * known.recv.size > 0;
}

/// Reductions have one type, which `known` has for the receive buffer.
const Type& send_type(const Call& c, const Arguments& known) {
    return reduces(c.collective) ? known.recv : known.send;
}

/// The buffers as the MPI library compares them, which looks at the own block in a buffer of all
/// blocks.
struct Compared {
    const void* send;
    void* recv;

    Compared(const Call& c, int rank, const Arguments& known) : send(c.send), recv(c.recv) {
        const auto own = [&](const void* all, const Array& places, std::int64_t count,
                             const Type& type) {
            if (!all) return static_cast<const char*>(all);
            return static_cast<const char*>(all) +
                   (places ? places[rank] : rank * count) * type.extent;
        };
        if (c.collective == Collective::gather || c.collective == Collective::allgather)
            recv = const_cast<char*>(own(c.recv, c.displacements, c.recv_count, known.recv));
        if (c.collective == Collective::scatter)
            send = own(c.send, c.send_displacements, c.send_count, known.send);
    }
};

/// Few elements, of counts that are equal where the call's are. Some libraries take no offence at
/// one.
struct Few {
    int send = 2, recv = 2;
    explicit Few(const Call& c) {
        if (reduces(c.collective) || c.send_count == c.recv_count) {
            send = recv = c.counts ? 1 : static_cast<int>(std::min<std::int64_t>(c.recv_count, 2));
            return;
        }
        if (c.varies || c.counts) {
            send = recv = 1;
            return;
        }
        send = static_cast<int>(
            std::min<std::int64_t>(c.send_count, c.send_count < c.recv_count ? 1 : 2));
        recv = static_cast<int>(
            std::min<std::int64_t>(c.recv_count, c.send_count < c.recv_count ? 2 : 1));
        if (send == recv) recv = 0;
    }
};

int ask(const Call& c, int rank, const Arguments& known) {
    const MPI_Comm self = self_comm();
    const Buffers b(c, rank);
    if (!b.sends || !b.receives) {
        const MPI_Datatype type = b.sends && !reduces(c.collective) ? c.send_type : c.recv_type;
        return PMPI_Bcast(b.sends ? const_cast<void*>(c.send) : c.recv, 1, type, 0, self);
    }
    const bool in_place = c.send == MPI_IN_PLACE || c.recv == MPI_IN_PLACE;
    const Compared compared(c, rank, known);
    const void* const send = in_place ? c.send : compared.send;
    void* const recv = in_place ? c.recv : compared.recv;
    const Few n(c);
    const MPI_Datatype st = c.send_type, rt = c.recv_type;
    // The library also compares the addresses of an alltoallv's arrays.
    const int one = 1, other_one = 1, zero = 0;
    const int* const send_one = c.send_counts.same(c.counts) ? &one : &other_one;
    switch (c.collective) {
    case Collective::reduce: return PMPI_Reduce(send, recv, n.recv, rt, c.op, 0, self);
    case Collective::allreduce: return PMPI_Allreduce(send, recv, n.recv, rt, c.op, self);
    case Collective::reduce_scatter:
        return c.counts ? PMPI_Reduce_scatter(send, recv, &one, rt, c.op, self)
                        : PMPI_Reduce_scatter_block(send, recv, n.recv, rt, c.op, self);
    case Collective::gather:
        return c.varies ? PMPI_Gatherv(send, 1, st, recv, &one, &zero, rt, 0, self)
                        : PMPI_Gather(send, n.send, st, recv, n.recv, rt, 0, self);
    case Collective::scatter:
        return c.varies ? PMPI_Scatterv(send, &one, &zero, st, recv, 1, rt, 0, self)
                        : PMPI_Scatter(send, n.send, st, recv, n.recv, rt, 0, self);
    case Collective::allgather:
        return c.counts ? PMPI_Allgatherv(send, 1, st, recv, &one, &zero, rt, self)
                        : PMPI_Allgather(send, n.send, st, recv, n.recv, rt, self);
    case Collective::alltoall: return PMPI_Alltoall(send, n.send, st, recv, n.recv, rt, self);
    case Collective::alltoallv:
        return PMPI_Alltoallv(send, send_one, &zero, st, recv, &one, &zero, rt, self);
    case Collective::bcast: break;
    }
    return MPI_SUCCESS;
}

}  // namespace

bool suspicious(const Call& c, int rank, int p, const Arguments& known) {
    const Buffers b(c, rank);
    const bool send_in_place = b.sends && c.send == MPI_IN_PLACE,
               receive_in_place = b.receives && c.recv == MPI_IN_PLACE;
    if (send_in_place && !b.may_send_in_place) return sends_some(c, p, known);
    if (receive_in_place && !b.may_receive_in_place) return receives_some(c, rank, p, known);
    // Derived types may hold addresses: only for predefined ones does null mean no buffer.
    if (b.sends && !c.send && send_type(c, known).plain && sends_some(c, p, known)) return true;
    if (b.receives && !c.recv && known.recv.plain && receives_some(c, rank, p, known)) return true;
    if (!b.sends || !b.receives || send_in_place || receive_in_place) return false;
    const Compared compared(c, rank, known);
    // Two buffers of absolute addresses are both MPI_BOTTOM.
    return compared.send && compared.send == compared.recv && sends_some(c, p, known) &&
           receives_some(c, rank, p, known);
}

bool library_refuses(const Call& c, int rank, const Arguments& known) {
    int kind = MPI_SUCCESS;
    PMPI_Error_class(ask(c, rank, known), &kind);
    return kind != MPI_SUCCESS && kind != MPI_ERR_TRUNCATE;
}

}  // namespace hopbine::mpi
