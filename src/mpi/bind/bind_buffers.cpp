#include "mpi/bind/bind_buffers.hpp"

#include <algorithm>
#include <cstring>

#include "mpi/bind/bind_alltoallv.hpp"
#include "mpi/bind/bind_gatherv.hpp"
#include "mpi/bind/bind_neighbors.hpp"
#include "mpi/bind/rooted_call.hpp"
#include "mpi/execute/try.hpp"
#include "mpi/execute/user_blocks.hpp"

namespace hopbine::mpi {

namespace {

/// Contiguous bytes of a user's buffer: the buffer itself when plain, else packed into scratch.
class Bytes {
public:
    Bytes(const void* user, std::int64_t count, const Type& type, Scratch& scratch)
        : user_(static_cast<char*>(const_cast<void*>(user))), count_(count), type_(type) {
        data_ = type.plain ? user_ : scratch.at_least(count * type.size + 1);
    }
    char* data() const { return data_; }
    std::int64_t size() const { return count_ * type_.size; }
    int pack(std::int64_t first, std::int64_t count) const { return move(first, count, true); }
    int unpack(std::int64_t first, std::int64_t count) const { return move(first, count, false); }
    int pack() const { return pack(0, count_); }
    int unpack() const { return unpack(0, count_); }

private:
    int move(std::int64_t first, std::int64_t count, bool in) const {
        if (type_.plain) return MPI_SUCCESS;
        char *user = user_ + first * type_.extent, *here = data_ + first * type_.size;
        return in ? pack_elements(user, count, type_, here)
                  : unpack_elements(user, count, type_, here);
    }
    char *user_, *data_ = nullptr;
    std::int64_t count_;
    const Type& type_;
};

int bcast(const ServedCall& f) {
    Workspace& w = f.workspace;
    const Call& c = f.call;
    const Bytes buffer(c.recv, c.recv_count, f.recv, w.packed_recv);
    Binding b;
    b.base[0] = buffer.data();
    b.layout.n = buffer.size();
    b.layout.parts = f.state.size;
    b.layout.within = f.plan.parts;
    const bool root = f.state.rank == c.root;
    if (root) HOPBINE_TRY(buffer.pack());
    HOPBINE_TRY(execute(f.plan, b, f.endpoint, w));
    return root ? MPI_SUCCESS : buffer.unpack();
}

/// Scratch for n elements of a reduction. It is shifted: the datatype's first byte is the buffer's.
char* scratch_elements(Scratch& s, std::int64_t n, const Type& t) {
    return s.at_least(n * t.extent + t.true_extent + 64) - t.true_lb;
}

/// Binds the vector of a reduction, and room for the one that a prefix sum keeps.
void bind_vector(const ServedCall& f, Binding& b) {
    const Reduction& r = f.reduction;
    b.layout.n = f.call.recv_count;
    b.layout.parts = f.state.size;
    b.layout.within = f.plan.parts;
    b.width = r.type.extent;
    b.reduction = &r;
    if (f.plan.keeps)
        b.base[static_cast<int>(Space::temp)] =
            scratch_elements(f.workspace.temp, f.call.recv_count, r.type);
}

int reduce(const ServedCall& f) {
    if (!f.call.recv_count) return MPI_SUCCESS;
    Workspace& w = f.workspace;
    const Call& c = f.call;
    const Reduction& r = f.reduction;
    const Type& t = r.type;
    const bool receives = !rooted(c.collective) || f.state.rank == c.root,
               in_place = c.send == MPI_IN_PLACE;
    Binding b;
    bind_vector(f, b);
    if (!receives && !f.plan.reduces_here) {
        b.base[0] = static_cast<char*>(const_cast<void*>(c.send));  // only sent
    } else {
        b.base[0] =
            receives ? static_cast<char*>(c.recv) : scratch_elements(w.work, c.recv_count, t);
        // The operands the other way round would overwrite the user's send buffer.
        const bool direct = f.plan.direct_step >= 0 && !in_place &&
                            (r.commutes || f.state.rank < direct_contribution(f.plan).peer);
        if (direct)
            b.own = static_cast<char*>(const_cast<void*>(c.send));
        else if (!in_place)
            HOPBINE_TRY(
                copy_elements(b.base[0], static_cast<const char*>(c.send), c.recv_count, t));
    }
    return execute(f.plan, b, f.endpoint, w);
}

/// An exclusive prefix sum: a rank's own contribution is only sent, never in its result.
int exscan(const ServedCall& f) {
    if (!f.call.recv_count) return MPI_SUCCESS;
    Workspace& w = f.workspace;
    const Call& c = f.call;
    const Reduction& r = f.reduction;
    Binding b;
    bind_vector(f, b);
    b.base[0] = static_cast<char*>(c.recv);
    if (c.send != MPI_IN_PLACE) {
        b.base[static_cast<int>(Space::recv)] = static_cast<char*>(const_cast<void*>(c.send));
    } else if (f.plan.sends_own) {
        char* const own = scratch_elements(w.work, c.recv_count, r.type);
        b.base[static_cast<int>(Space::recv)] = own;
        HOPBINE_TRY(copy_elements(own, b.base[0], c.recv_count, r.type));
    }
    return execute(f.plan, b, f.endpoint, w);
}

/// A barrier: its messages have no data.
int barrier(const ServedCall& f) {
    Binding b;
    b.signals = true;
    return execute(f.plan, b, f.endpoint, f.workspace);
}

/// First unit of every position of the working buffer; an element has `units` of them. The total
/// comes last.
const std::int64_t* first_elements(const ServedCall& f, std::vector<std::int64_t>& prefix,
                                   std::int64_t units = 1) {
    const int p = f.state.size;
    prefix.assign(static_cast<std::size_t>(p) + 1, 0);
    for (int b = 0; b < p; ++b)
        prefix[static_cast<std::size_t>(f.plan.position(b)) + 1] =
            units * (f.call.counts ? f.call.counts[b] : f.call.recv_count);
    for (int at = 0; at < p; ++at)
        prefix[static_cast<std::size_t>(at) + 1] += prefix[static_cast<std::size_t>(at)];
    return prefix.data();
}

int reduce_scatter(const ServedCall& f) {
    Workspace& w = f.workspace;
    const Call& c = f.call;
    const Reduction& r = f.reduction;
    const Type& t = r.type;
    Binding b;
    b.layout.prefix = first_elements(f, w.prefix);
    b.width = t.extent;
    b.reduction = &r;
    b.base[0] = scratch_elements(w.work, b.layout.prefix[f.state.size], t);
    const char* from = static_cast<const char*>(c.send == MPI_IN_PLACE ? c.recv : c.send);
    for (int block = 0; block < f.state.size; ++block) {
        const std::int64_t at = b.layout(f.plan.position(block)),
                           n = b.layout(f.plan.position(block) + 1) - at;
        if (f.plan.positions.empty()) {  // in rank order: one copy
            HOPBINE_TRY(copy_elements(b.base[0], from, b.layout.prefix[f.state.size], t));
            break;
        }
        HOPBINE_TRY(copy_elements(b.base[0] + at * b.width, from, n, t));
        from += n * t.extent;
    }
    b.layout.within = f.plan.parts;
    HOPBINE_TRY(execute(f.plan, b, f.endpoint, w));
    b.layout.within = 1;
    const std::int64_t mine = b.layout(f.plan.position(f.state.rank)),
                       n = b.layout(f.plan.position(f.state.rank) + 1) - mine;
    return copy_elements(static_cast<char*>(c.recv), b.base[0] + mine * b.width, n, t);
}

/// Allgatherv: all ranks know the block sizes. The blocks lie contiguously in a working buffer.
int allgatherv(const ServedCall& f) {
    Workspace& w = f.workspace;
    const Call& c = f.call;
    const int p = f.state.size, me = f.state.rank;
    const UserBlocks all(c.recv, p, c.counts, c.displacements, f.recv);
    Binding b;
    b.layout.prefix = first_elements(f, w.prefix, f.recv.size);
    b.base[0] = w.work.at_least(b.layout.prefix[p] + 1);
    const auto place = [&](int block) {
        return b.base[0] + b.layout.prefix[f.plan.position(block)];
    };
    if (c.send == MPI_IN_PLACE) {
        HOPBINE_TRY(all.pack(me, place(me)));
    } else {
        const Bytes own(c.send, c.send_count, f.send, w.packed_send);
        HOPBINE_TRY(own.pack());
        std::memcpy(place(me), own.data(),
                    static_cast<std::size_t>(std::min(own.size(), all.bytes(me))));
    }
    b.layout.within = f.plan.parts;
    HOPBINE_TRY(execute(f.plan, b, f.endpoint, w));
    for (int r = 0; r < p; ++r)
        if (r != me || c.send != MPI_IN_PLACE) HOPBINE_TRY(all.unpack(r, place(r)));
    return MPI_SUCCESS;
}

int allgather(const ServedCall& f) {
    if (f.call.counts) return allgatherv(f);
    Workspace& w = f.workspace;
    const Call& c = f.call;
    const int p = f.state.size, me = f.state.rank;
    const Bytes all(c.recv, c.recv_count * p, f.recv, w.packed_recv);
    const std::int64_t block = c.recv_count * f.recv.size;
    if (c.send == MPI_IN_PLACE) {
        HOPBINE_TRY(all.pack(me * c.recv_count, c.recv_count));
    } else {
        const Bytes own(c.send, c.send_count, f.send, w.packed_send);
        HOPBINE_TRY(own.pack());
        std::memcpy(all.data() + me * block, own.data(),
                    static_cast<std::size_t>(std::min(block, own.size())));
    }
    Binding b;
    b.layout.block = block;
    b.base[0] = all.data();
    if (!f.plan.positions.empty()) {
        b.base[0] = w.work.at_least(block * p + 1);
        std::memcpy(b.base[0] + f.plan.position(me) * block, all.data() + me * block,
                    static_cast<std::size_t>(block));
    }
    b.layout.within = f.plan.parts;
    if (block > 0) HOPBINE_TRY(execute(f.plan, b, f.endpoint, w));
    for (std::size_t r = 0; r < f.plan.positions.size(); ++r)
        std::memcpy(all.data() + static_cast<std::int64_t>(r) * block,
                    b.base[0] + f.plan.positions[r] * block, static_cast<std::size_t>(block));
    return all.unpack();
}

/// Binds the slots for blocks in transit, of the size that the layout has.
void bind_slots(const ServedCall& f, Binding& b) {
    if (f.plan.temp_slots > 0)
        b.base[static_cast<int>(Space::temp)] =
            f.workspace.temp.at_least(f.plan.temp_slots * b.layout.block);
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
        b_.layout.within = f.plan.parts;
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
        HOPBINE_TRY(execute(f_.plan, b_, f_.endpoint, f_.workspace));
        return c_.root ? all_.unpack() : MPI_SUCCESS;
    }
    int scatter() {
        if (c_.root) HOPBINE_TRY(all_.pack());
        HOPBINE_TRY(execute(f_.plan, b_, f_.endpoint, f_.workspace));
        if (c_.in_place) return MPI_SUCCESS;
        copy(own_.data(), planned());
        return own_.unpack(0, own_type().size ? own_bytes() / own_type().size : 0);
    }

    const Type& all_type() const { return c_.of_all(f_.send, f_.recv); }
    const Type& own_type() const { return c_.of_own(f_.send, f_.recv); }
    /// The smaller size where a root's send and receive arguments disagree on its own block.
    std::int64_t own_bytes() const { return std::min(block_, own_.size()); }
    void copy(char* to, const char* from) const {
        if (to != from) std::memcpy(to, from, static_cast<std::size_t>(own_bytes()));
    }
    /// Address of this rank's own block in the plan.
    char* planned() const {
        if (c_.root) return all_.data() + f_.state.rank * block_;
        if (f_.plan.own_slot < 0) return own_.data();
        return b_.base[static_cast<int>(Space::temp)] + f_.plan.own_slot * block_;
    }

    const ServedCall& f_;
    const RootedCall c_;
    const std::int64_t block_;
    const Bytes all_, own_;
    Binding b_;
};

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
    Binding b;
    b.layout.block = block;
    b.base[0] = from.data();
    b.base[1] = to.data();
    if (sent != block ||
        from.data() == to.data()) {  // received blocks must not overwrite those still to be sent
        b.base[0] = w.work.at_least(block * p);
        for (int r = 0; r < p; ++r)
            std::memcpy(b.base[0] + r * block, from.data() + r * sent,
                        static_cast<std::size_t>(std::min(block, sent)));
    }
    bind_slots(f, b);
    std::memcpy(b.base[1] + me * block, b.base[0] + me * block, static_cast<std::size_t>(block));
    HOPBINE_TRY(execute(f.plan, b, f.endpoint, w));
    return to.unpack();
}

/// Blocks whose sizes only both ends know.
int exchange(const ServedCall& f) {
    if (f.call.neighbors) return neighbors(f);
    return f.call.collective == Collective::alltoallv ? alltoallv(f) : gatherv(f);
}

}  // namespace

int run(const ServedCall& f) {
    if (f.call.varies) return exchange(f);
    switch (f.call.collective) {
    case Collective::bcast: return bcast(f);
    case Collective::reduce:
    case Collective::allreduce:
    case Collective::scan: return reduce(f);
    case Collective::exscan: return exscan(f);
    case Collective::barrier: return barrier(f);
    case Collective::reduce_scatter: return reduce_scatter(f);
    case Collective::allgather: return allgather(f);
    case Collective::gather:
    case Collective::scatter: return EqualBlocks(f).run();
    case Collective::alltoall: return alltoall(f);
    case Collective::alltoallv: break;
    }
    return MPI_ERR_INTERN;
}

}  // namespace hopbine::mpi
