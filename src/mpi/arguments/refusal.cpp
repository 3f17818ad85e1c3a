#include "mpi/arguments/refusal.hpp"

#include <algorithm>

#include "mpi/arguments/library_call.hpp"
#include "mpi/execute/messages.hpp"

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
    int send = 1, recv = 1;
    explicit Few(const Call& c) {
        if (c.varies || c.counts) return;
        if (reduces(c.collective) || c.send_count == c.recv_count) {
            send = recv = static_cast<int>(std::min<std::int64_t>(c.recv_count, 2));
            return;
        }
        send = static_cast<int>(
            std::min<std::int64_t>(c.send_count, c.send_count < c.recv_count ? 1 : 2));
        recv = static_cast<int>(
            std::min<std::int64_t>(c.recv_count, c.send_count < c.recv_count ? 2 : 1));
        if (send == recv) recv = 0;
    }
};

/// The call on a communicator of this process alone, with a few elements of its buffers; where only
/// one is significant, a broadcast of that.
Call small_call(const Call& c, int rank, const Arguments& known) {
    static constexpr int kOnes[2] = {1, 1}, kZero = 0;
    const Buffers buffers(c, rank);
    if (!buffers.sends || !buffers.receives)
        return {.collective = Collective::bcast,
                .recv = buffers.sends ? const_cast<void*>(c.send) : c.recv,
                .recv_count = 1,
                .recv_type = buffers.sends && !reduces(c.collective) ? c.send_type : c.recv_type,
                .comm = self_comm()};
    Call out = c;
    out.comm = self_comm();
    out.root = 0;
    if (buffers.both()) {
        const Compared compared(c, rank, known);
        out.send = compared.send;
        out.recv = compared.recv;
    }
    const Few few(c);
    out.send_count = few.send;
    out.recv_count = few.recv;
    if (c.varies || c.counts) {
        // The library also compares the addresses of an alltoallv's arrays.
        out.send_counts = &kOnes[c.send_counts.same(c.counts) ? 0 : 1];
        out.counts = &kOnes[0];
        out.displacements = out.send_displacements = &kZero;
    }
    return out;
}

}  // namespace

PlainBuffers::PlainBuffers(const Call& c, int rank, const Arguments& known) {
    const Buffers b(c, rank);
    sends_ = b.sends && !b.send_in_place;
    receives_ = b.receives && !b.receive_in_place;
    static char base;
    Call at_base = c;
    at_base.send = at_base.recv = &base;
    const Compared compared(at_base, rank, known);
    const std::intptr_t ahead = address(compared.send) - address(compared.recv);
    ahead_ = static_cast<std::int32_t>(ahead);
    far_ = ahead_ != ahead;
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
    PMPI_Error_class(call_library(small_call(c, rank, known)), &kind);
    return kind != MPI_SUCCESS && kind != MPI_ERR_TRUNCATE;
}

}  // namespace hopbine::mpi
