#include "mpi/entry/refusal.hpp"

#include <algorithm>

#include "mpi/execute/private_comm.hpp"

namespace hopbine::mpi {

namespace {

/// The significant buffers of a call on this rank.
struct Buffers {
    bool sends, receives;
    bool send_in_place, receive_in_place;    ///< the buffer is MPI_IN_PLACE,
    bool send_misplaced, receive_misplaced;  ///< which MPI does not allow there

    Buffers(const Call& c, int rank) {
        const CollectiveSpec& s = spec(c.collective);
        const bool root = rank == c.root || !s.rooted();
        sends = (root ? s.send.at_root : s.send.elsewhere) != Content::nothing;
        // The first rank of an exscan needs none, but the MPI library looks at one that it has.
        receives = (root ? s.recv.at_root : s.recv.elsewhere) != Content::nothing &&
                   (uses_result(c, rank) || c.recv);
        send_in_place = sends && c.send == MPI_IN_PLACE;
        receive_in_place = receives && c.recv == MPI_IN_PLACE;
        send_misplaced = send_in_place && !(root && s.in_place == InPlace::send);
        receive_misplaced = receive_in_place && !(root && s.in_place == InPlace::recv);
    }
    bool both() const { return sends && receives && !send_in_place && !receive_in_place; }
};

bool any(const Array& counts, int p) {
    for (int b = 0; b < p; ++b)
        if (counts[b] != 0) return true;
    return false;
}

/// Whether a rank with a significant send buffer sends any data.
bool sends_some(const Call& c, int p, const Arguments& known) {
    if (reduces(c.collective)) return known.bytes > 0;
    if (c.send_counts) return any(c.send_counts, p) && known.send.size > 0;
    return c.send_count * known.send.size > 0;
}

/// Whether a rank with a significant receive buffer receives any data.
bool receives_some(const Call& c, int rank, int p, const Arguments& known) {
    if (c.collective == Collective::reduce_scatter && c.counts) return c.counts[rank] > 0;
    if (c.counts) return any(c.counts, p) && known.recv.size > 0;
    return c.recv_count * known.recv.size > 0;
}

/// The send datatype. Reductions have one datatype, which `known` has for the receive buffer.
const Type& send_type(const Call& c, const Arguments& known) {
    return reduces(c.collective) ? known.recv : known.send;
}

/// The addresses that the MPI library compares: in a buffer of all blocks, that of the rank's own
/// block.
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

/// Small counts for the trial call, equal where the call's are. Some libraries do not check a
/// single element.
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

/// The call on a communicator of this process alone, with a few elements of its buffers.
class SmallCall {
public:
    SmallCall(const Call& c, int rank, const Arguments& known)
        : c_(c), n_(c), buffers_(c, rank), send_(c.send), recv_(c.recv) {
        if (!buffers_.both()) return;
        const Compared compared(c, rank, known);
        send_ = compared.send;
        recv_ = compared.recv;
    }

    /// The MPI library's error code for it.
    int error() const {
        if (!buffers_.sends) return PMPI_Bcast(c_.recv, 1, c_.recv_type, 0, self_);
        if (!buffers_.receives)
            return PMPI_Bcast(const_cast<void*>(c_.send), 1,
                              reduces(c_.collective) ? c_.recv_type : c_.send_type, 0, self_);
        if (reduces(c_.collective)) return reduction();
        return c_.varies || c_.counts ? uneven() : even();
    }

private:
    int reduction() const {
        const MPI_Datatype type = c_.recv_type;
        const auto ask = [&](auto* function, auto... root) {
            return function(send_, recv_, n_.recv, type, c_.op, root..., self_);
        };
        switch (c_.collective) {
        case Collective::reduce: return ask(PMPI_Reduce, 0);
        case Collective::allreduce: return ask(PMPI_Allreduce);
        case Collective::scan: return ask(PMPI_Scan);
        case Collective::exscan: return ask(PMPI_Exscan);
        default: break;
        }
        return c_.counts ? PMPI_Reduce_scatter(send_, recv_, &one_, type, c_.op, self_)
                         : PMPI_Reduce_scatter_block(send_, recv_, n_.recv, type, c_.op, self_);
    }
    /// Blocks of equal sizes.
    int even() const {
        const auto ask = [&](auto* function, auto... root) {
            return function(send_, n_.send, c_.send_type, recv_, n_.recv, c_.recv_type, root...,
                            self_);
        };
        switch (c_.collective) {
        case Collective::gather: return ask(PMPI_Gather, 0);
        case Collective::scatter: return ask(PMPI_Scatter, 0);
        case Collective::allgather: return ask(PMPI_Allgather);
        default: return ask(PMPI_Alltoall);
        }
    }
    int uneven() const {
        const MPI_Datatype st = c_.send_type, rt = c_.recv_type;
        // The library also compares the addresses of an alltoallv's arrays.
        const int* const send_one = c_.send_counts.same(c_.counts) ? &one_ : &other_one_;
        switch (c_.collective) {
        case Collective::gather:
            return PMPI_Gatherv(send_, 1, st, recv_, &one_, &zero_, rt, 0, self_);
        case Collective::scatter:
            return PMPI_Scatterv(send_, &one_, &zero_, st, recv_, 1, rt, 0, self_);
        case Collective::allgather:
            return PMPI_Allgatherv(send_, 1, st, recv_, &one_, &zero_, rt, self_);
        default:
            return PMPI_Alltoallv(send_, send_one, &zero_, st, recv_, &one_, &zero_, rt, self_);
        }
    }

    const Call& c_;
    const Few n_;
    const Buffers buffers_;
    const void* send_;
    void* recv_;
    const MPI_Comm self_ = self_comm();
    const int one_ = 1, other_one_ = 1, zero_ = 0;
};

}  // namespace

PlainBuffers::PlainBuffers(const Call& c, int rank, const Arguments& known) {
    const Buffers b(c, rank);
    sends_ = b.sends;
    receives_ = b.receives;
    static char base;
    Call at_base = c;
    at_base.send = at_base.recv = &base;
    const Compared compared(at_base, rank, known);
    ahead_ = address(compared.send) - address(compared.recv);
}

bool suspicious(const Call& c, int rank, int p, const Arguments& known) {
    const Buffers b(c, rank);
    const auto sends = [&] { return sends_some(c, p, known); };
    const auto receives = [&] { return receives_some(c, rank, p, known); };
    if (b.send_misplaced) return sends();
    if (b.receive_misplaced) return receives();
    // Derived datatypes may hold addresses: only for predefined ones does null mean no buffer.
    if (b.sends && !c.send && send_type(c, known).plain && sends()) return true;
    if (b.receives && !c.recv && known.recv.plain && receives()) return true;
    if (!b.both()) return false;
    const Compared compared(c, rank, known);
    // Two buffers of absolute addresses are both MPI_BOTTOM.
    return compared.send && compared.send == compared.recv && sends() && receives();
}

bool library_refuses(const Call& c, int rank, const Arguments& known) {
    int kind = MPI_SUCCESS;
    PMPI_Error_class(SmallCall(c, rank, known).error(), &kind);
    return kind != MPI_SUCCESS && kind != MPI_ERR_TRUNCATE;
}

}  // namespace hopbine::mpi
