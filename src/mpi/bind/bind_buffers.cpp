#include "mpi/bind/bind_buffers.hpp"

#include <algorithm>

#include "mpi/bind/user_bytes.hpp"
#include "mpi/execute/messages.hpp"
#include "mpi/execute/user_blocks.hpp"
#include "runtime/copies_in_flight.hpp"
#include "runtime/log.hpp"
#include "runtime/mirror.hpp"

namespace hopbine::mpi {

namespace {

int bcast(const ServedCall& f) {
    Workspace& w = f.workspace;
    const Call& c = f.call;
    const Bytes buffer(c.recv, c.recv_count, f.recv, w.packed_recv);
    Binding b = f.binding();
    b.base[0] = buffer.data();
    b.layout.n = buffer.size();
    b.layout.parts = f.state.size;
    const bool root = f.state.rank == c.root;
    if (root) HOPBINE_TRY(buffer.pack());
    HOPBINE_TRY(run_steps(f, b, Results::in_place));
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
    b.reduces(r);
    if (f.steps().keeps)
        b.base[static_cast<int>(Space::temp)] =
            scratch_elements(f.workspace.temp, f.call.recv_count, r.type);
}

/// Whether what a device has for `from` is copied to `to` instead.
bool arrives_at(const ServedCall& f, const void* from, char* to, std::int64_t bytes) {
    return f.mirror && f.mirror->redirect(static_cast<const char*>(from), to, bytes);
}

int reduce(const ServedCall& f) {
    if (!f.call.recv_count) return MPI_SUCCESS;
    Workspace& w = f.workspace;
    const Call& c = f.call;
    const Reduction& r = f.reduction;
    const Type& t = r.type;
    const bool receives = !rooted(c.collective) || f.state.rank == c.root,
               in_place = c.send == MPI_IN_PLACE;
    Binding b = f.binding();
    bind_vector(f, b);
    if (!receives && !f.steps().reduces_here) {
        b.base[0] = static_cast<char*>(const_cast<void*>(c.send));  // only sent
    } else {
        b.base[0] =
            receives ? static_cast<char*>(c.recv) : scratch_elements(w.work, c.recv_count, t);
        // The operands the other way round would overwrite the user's send buffer.
        const bool direct = f.steps().direct && !in_place &&
                            (r.commutes || f.state.rank < f.steps().direct_contribution().peer);
        if (direct)
            b.own = static_cast<char*>(const_cast<void*>(c.send));
        else if (!in_place && !arrives_at(f, c.send, b.base[0], c.recv_count * t.size))
            HOPBINE_TRY(copy(f, b.base[0], static_cast<const char*>(c.send), c.recv_count, t));
    }
    return run_steps(f, b, Results::in_place);
}

/// An exclusive prefix sum: a rank's own contribution is only sent, never in its result.
int exscan(const ServedCall& f) {
    if (!f.call.recv_count) return MPI_SUCCESS;
    Workspace& w = f.workspace;
    const Call& c = f.call;
    const Reduction& r = f.reduction;
    Binding b = f.binding();
    bind_vector(f, b);
    b.base[0] = static_cast<char*>(c.recv);
    if (c.send != MPI_IN_PLACE) {
        b.base[static_cast<int>(Space::recv)] = static_cast<char*>(const_cast<void*>(c.send));
    } else if (f.steps().sends_own) {
        char* const own = scratch_elements(w.work, c.recv_count, r.type);
        b.base[static_cast<int>(Space::recv)] = own;
        HOPBINE_TRY(copy(f, own, b.base[0], c.recv_count, r.type));
    }
    return run_steps(f, b, Results::elsewhere);
}

/// A barrier: its messages have no data.
int barrier(const ServedCall& f) {
    Binding b = f.binding();
    b.signals = true;
    return run_steps(f, b, Results::elsewhere);
}

/// First unit of every position of the working buffer; an element has `units` of them. The total
/// comes last.
const std::int64_t* first_elements(const ServedCall& f, std::vector<std::int64_t>& prefix,
                                   std::int64_t units = 1) {
    const int p = f.state.size;
    prefix.assign(static_cast<std::size_t>(p) + 1, 0);
    for (int b = 0; b < p; ++b)
        prefix[static_cast<std::size_t>(f.steps().position(b)) + 1] =
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
    Binding b = f.binding();
    b.layout.within = 1;
    b.layout.prefix = first_elements(f, w.prefix);
    b.reduces(r);
    b.base[0] = scratch_elements(w.work, b.layout.prefix[f.state.size], t);
    const char* const all = static_cast<const char*>(c.send == MPI_IN_PLACE ? c.recv : c.send);
    const auto copy_wanted = [&](auto&& wanted) -> int {
        const char* from = all;
        for (const std::int64_t position : f.steps().positions) {
            const std::int64_t at = b.layout.prefix[position],
                               n = b.layout.prefix[position + 1] - at;
            if (wanted(position)) HOPBINE_TRY(copy(f, b.base[0] + at * b.width, from, n, t));
            from += n * t.extent;
        }
        return MPI_SUCCESS;
    };
    CopiesIn in_flight(f.steps(), w.copied, copy_wanted);
    if (f.steps().positions.empty()) {
        HOPBINE_TRY(copy(f, b.base[0], all, b.layout.prefix[f.state.size], t));
    } else if (f.steps().block_at.empty()) {
        HOPBINE_TRY(copy_wanted([](std::int64_t) { return true; }));
    } else {
        b.observers.push_back(&in_flight);
    }
    const bool copies = !b.observers.empty();
    b.layout.within = f.steps().parts;
    HOPBINE_TRY(run_steps(f, b, Results::elsewhere));
    if (copies) HOPBINE_TRY(in_flight.rest());
    b.layout.within = 1;
    const std::int64_t mine = b.layout(f.steps().position(f.state.rank)),
                       n = b.layout(f.steps().position(f.state.rank) + 1) - mine;
    return copy(f, static_cast<char*>(c.recv), b.base[0] + mine * b.width, n, t);
}

/// Allgatherv: all ranks know the block sizes. The blocks lie contiguously in a working buffer.
int allgatherv(const ServedCall& f) {
    Workspace& w = f.workspace;
    const Call& c = f.call;
    const int p = f.state.size, me = f.state.rank;
    const UserBlocks all(c.recv, p, c.counts, c.displacements, f.recv);
    Binding b = f.binding();
    b.layout.prefix = first_elements(f, w.prefix, f.recv.size);
    b.base[0] = w.work.at_least(b.layout.prefix[p] + 1);
    const auto place = [&](int block) {
        return b.base[0] + b.layout.prefix[f.steps().position(block)];
    };
    if (c.send == MPI_IN_PLACE) {
        if (f.device)
            f.device->copy(place(me), all.at(me), all.bytes(me));
        else
            HOPBINE_TRY(all.pack(me, place(me)));
    } else {
        const Bytes own(c.send, c.send_count, f.send, w.packed_send);
        HOPBINE_TRY(own.pack());
        copy(f, place(me), own.data(), std::min(own.size(), all.bytes(me)));
    }
    const auto copy_out = [&](int r) -> int {
        if (r == me && c.send == MPI_IN_PLACE) return MPI_SUCCESS;
        if (!f.device) return all.unpack(r, place(r));
        f.device->copy(all.at(r), place(r), all.bytes(r));
        return MPI_SUCCESS;
    };
    CopiesOut in_flight(f.steps(), w.arrived, copy_out);
    if (!f.steps().block_at.empty()) {
        w.arrived.push_back({Space::work, f.steps().position(me), 1});
        b.observers.push_back(&in_flight);
    }
    const bool copies = !b.observers.empty();
    HOPBINE_TRY(run_steps(f, b, Results::elsewhere));
    if (copies) return in_flight.rest();
    for (int r = 0; r < p; ++r) HOPBINE_TRY(copy_out(r));
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
        copy(f, all.data() + me * block, own.data(), std::min(block, own.size()));
    }
    Binding b = f.binding();
    b.layout.block = block;
    b.base[0] = all.data();
    if (!f.steps().positions.empty()) {
        b.base[0] = w.work.at_least(block * p + 1);
        copy(f, b.base[0] + f.steps().position(me) * block, all.data() + me * block, block);
    }
    const auto copy_out = [&](int r) -> int {
        copy(f, all.data() + r * block, b.base[0] + f.steps().position(r) * block, block);
        return MPI_SUCCESS;
    };
    CopiesOut in_flight(f.steps(), w.arrived, copy_out);
    const bool copies = !f.steps().block_at.empty();
    if (copies) b.observers.push_back(&in_flight);
    if (block > 0) HOPBINE_TRY(run_steps(f, b, Results::in_place));
    if (copies) {
        HOPBINE_TRY(in_flight.rest());
    } else if (!f.steps().positions.empty()) {
        for (int r = 0; r < p; ++r) HOPBINE_TRY(copy_out(r));
    }
    return all.unpack();
}

/// Blocks whose sizes only both ends know.
int exchange(const ServedCall& f) {
    if (f.call.neighbors) return neighbors(f);
    return f.call.collective == Collective::alltoallv ? alltoallv(f) : gatherv(f);
}

int run_bound(const ServedCall& f) {
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
    case Collective::scatter: return gather_or_scatter(f);
    case Collective::alltoall: return alltoall(f);
    case Collective::alltoallv: break;
    }
    return MPI_ERR_INTERN;
}

/// The device works on the buffers, and has the scratch memory.
[[gnu::cold]] int run_on_device(const ServedCall& f) {
    Memory& device = *f.call.device;
    MemoryWork work(device);
    const int error = run_bound({f.call, f.state, f.plan, f.send, f.recv, f.reduction, f.endpoint,
                                 f.workspace.on(device), f.nonuniform, &work}),
              end = work.wait() ? MPI_SUCCESS : MPI_ERR_OTHER;
    if (end != MPI_SUCCESS) say_rank("a copy or a reduction in GPU memory failed");
    return error != MPI_SUCCESS ? error : end;
}

}  // namespace

/// Whether all that touches the buffers heeds the mirror: where plain data is copied by copy().
static bool arrives_in_pieces(const ServedCall& f) {
    const Collective what = f.call.collective;
    if (f.call.varies || (what == Collective::allgather && f.call.counts)) return false;
    if (reduces(what)) return f.reduction.type.plain;
    const auto plain = [](const Type& t) { return t.plain || t.handle == MPI_DATATYPE_NULL; };
    return plain(f.send) && plain(f.recv);
}

/// Some buffers are copies of those on a device.
[[gnu::cold]] static int run_arriving(const ServedCall& f) {
    Mirror* const mirror = arrives_in_pieces(f) ? f.call.mirror : nullptr;
    if (!mirror) f.call.mirror->wait_for_all();
    return run_bound({f.call, f.state, f.plan, f.send, f.recv, f.reduction, f.endpoint, f.workspace,
                      f.nonuniform, nullptr, mirror});
}

int run_steps(const ServedCall& f, Binding& b, Results results) {
    if (!f.mirror) [[likely]]
        return execute(f.plan, b, f.endpoint, f.workspace);
    MirroredSteps mirrored(f.steps(), b, *f.mirror, results == Results::in_place);
    b.observers.insert(b.observers.begin(), &mirrored);
    return execute(f.plan, b, f.endpoint, f.workspace);
}

int run(const ServedCall& f) {
    if (f.call.device) return run_on_device(f);
    return f.call.mirror ? run_arriving(f) : run_bound(f);
}

}  // namespace hopbine::mpi
