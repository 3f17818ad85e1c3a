#include <algorithm>

#include "mpi/bind/bind_buffers.hpp"
#include "mpi/bind/user_bytes.hpp"
#include "mpi/execute/call.hpp"
#include "mpi/execute/messages.hpp"

namespace hopbine::mpi {

namespace {

/// Binds the slots for blocks in transit, of the size that the layout has.
void bind_slots(const ServedCall& f, Binding& b) {
    if (const std::int64_t slots = f.steps().temp_slots; slots > 0)
        b.base[static_cast<int>(Space::temp)] = f.workspace.temp.at_least(slots * b.layout.block);
}

/// A gather or scatter of equal blocks. The root binds the whole user buffer, other ranks their own
/// block or slots for blocks in transit.
class EqualBlocks {
public:
    explicit EqualBlocks(const ServedCall& f)
        : f_(f),
          c_(f.call, f.state.rank),
          block_(c_.root ? c_.all_count * all_type().size : c_.own_count * own_type().size),
          all_(c_.root ? c_.all : nullptr, c_.root ? c_.all_count * f.state.size : 0, all_type(),
               f.workspace.packed_recv),
          own_(c_.in_place ? nullptr : c_.own, c_.in_place ? 0 : c_.own_count, own_type(),
               f.workspace.packed_send) {
        b_.layout.block = block_;
        b_.base[0] = c_.root ? all_.data() : own_.data();
        bind_slots(f, b_);
    }

    int run() { return block_ == 0 ? MPI_SUCCESS : c_.gathers ? gather() : scatter(); }

private:
    int gather() {
        if (c_.in_place) {
            HOPBINE_TRY(all_.pack(f_.state.rank * c_.all_count, c_.all_count));
        } else {
            HOPBINE_TRY(own_.pack());
            copy(planned(), own_.data());
        }
        HOPBINE_TRY(run_steps(f_, b_, Results::in_place));
        return c_.root ? all_.unpack() : MPI_SUCCESS;
    }
    int scatter() {
        if (c_.root) HOPBINE_TRY(all_.pack());
        HOPBINE_TRY(run_steps(f_, b_, Results::elsewhere));
        if (c_.in_place) return MPI_SUCCESS;
        copy(own_.data(), planned());
        return own_.unpack(0, own_type().size ? own_bytes() / own_type().size : 0);
    }

    const Type& all_type() const { return c_.of_all(f_.send, f_.recv); }
    const Type& own_type() const { return c_.of_own(f_.send, f_.recv); }
    /// The smaller size where a root's send and receive arguments disagree on its own block.
    std::int64_t own_bytes() const { return std::min(block_, own_.size()); }
    void copy(char* to, const char* from) const {
        if (to != from) mpi::copy(f_, to, from, own_bytes());
    }
    /// Address of this rank's own block in the plan.
    char* planned() const {
        if (c_.root) return all_.data() + f_.state.rank * block_;
        if (f_.steps().own_slot < 0) return own_.data();
        return b_.base[static_cast<int>(Space::temp)] + f_.steps().own_slot * block_;
    }

    const ServedCall& f_;
    const RootedCall c_;
    const std::int64_t block_;
    const Bytes all_, own_;
    Binding b_ = f_.binding();
};

}  // namespace

int gather_or_scatter(const ServedCall& f) { return EqualBlocks(f).run(); }

int alltoall(const ServedCall& f) {
    Workspace& w = f.workspace;
    const Call& c = f.call;
    const int p = f.state.size, me = f.state.rank;
    const bool in_place = c.send == MPI_IN_PLACE;
    const std::int64_t block = c.recv_count * f.recv.size,
                       sent = in_place ? block : c.send_count * f.send.size;
    if (block == 0) return MPI_SUCCESS;
    const Bytes to(c.recv, c.recv_count * p, f.recv, w.packed_recv);
    const Bytes from(in_place ? c.recv : c.send, (in_place ? c.recv_count : c.send_count) * p,
                     in_place ? f.recv : f.send, w.packed_send);
    HOPBINE_TRY(from.pack());
    Binding b = f.binding();
    b.layout.within = 1;  // one channel moves whole blocks
    b.layout.block = block;
    b.base[0] = from.data();
    b.base[1] = to.data();
    if (sent != block ||
        from.data() == to.data()) {  // received blocks must not overwrite those still to be sent
        b.base[0] = w.work.at_least(block * p);
        for (int r = 0; r < p; ++r)
            copy(f, b.base[0] + r * block, from.data() + r * sent, std::min(block, sent));
    }
    bind_slots(f, b);
    copy(f, b.base[1] + me * block, b.base[0] + me * block, block);
    HOPBINE_TRY(run_steps(f, b, Results::in_place));
    return to.unpack();
}

}  // namespace hopbine::mpi
