#include "mpi/device/node_call.hpp"

#include <algorithm>

#include "device/runtime.hpp"

namespace hopbine::mpi {

using device::Direction;

bool fits_node(const Call& c, Communicator& state) {
    if (c.varies || c.among_neighbors ||
        std::ranges::find(kOfDevices, c.collective) == kOfDevices.end())
        return false;
    const int of_node = state.device_ranks();
    if (of_node == 0 || (of_node < state.size && c.collective != Collective::allreduce))
        return false;
    if (reduces(c.collective)) return state.reduction().kernel_name && state.reduction().type.plain;
    return c.collective != Collective::allgather || !c.counts;
}

NodeCall::NodeCall(const ServedCall& f, DeviceMemory& device, device::NodeRank me)
    : f_(f), device_(device), me_(me), stream_(device.stream()), there_(f.workspace.on(device)) {
    switch (f.call.collective) {
    case Collective::reduce_scatter: reduce_scatter(); break;
    case Collective::bcast: error_ = bcast(); break;
    case Collective::allgather: error_ = allgather(); break;
    case Collective::alltoall: error_ = alltoall(); break;
    default: reduction();
    }
}

bool NodeCall::is_here(const void* p) const {
    return device::Runtime::get().space_of(p) == &device_.space();
}

/// `if_elsewhere`: where one of both is not on the device.
bool NodeCall::copy(char* to, const char* from, std::int64_t bytes, Direction if_elsewhere) {
    if (bytes == 0) return true;  // there may be no scratch memory
    const bool here = is_here(if_elsewhere == Direction::to_device ? from : to);
    return device_.space().copy(to, from, static_cast<std::size_t>(bytes),
                                here ? Direction::within : if_elsewhere, stream_);
}

void NodeCall::reads(const Input& all) {
    if (all.bytes == all.wanted && is_here(all.from)) {
        in_ = all.from;
        return;
    }
    in_ = there_.packed_send.at_least(all.blocks * all.wanted);
    copied_ = all;
}

/// The result is `bytes` at an address; `over_input`: it may be written while input is read there.
void NodeCall::writes(char* at, std::int64_t bytes, bool over_input) {
    out_bytes_ = bytes;
    if (over_input && is_here(at)) {
        out_ = at;
        return;
    }
    out_ = there_.work.at_least(bytes);
    wanted_ = at;
}

void NodeCall::reduction() {
    const Call& c = f_.call;
    const Type& type = f_.reduction.type;
    const std::int64_t bytes = c.recv_count * type.size;
    const bool to_all = c.collective == Collective::allreduce;
    parts_ = device::node_reduction(me_, f_.reduction.kernel_name, type.size, c.recv_count,
                                    to_all ? -1 : c.root);
    reads(static_cast<const char*>(c.send == MPI_IN_PLACE ? c.recv : c.send), bytes);
    if (parts_.receives) writes(static_cast<char*>(c.recv), bytes);
}

/// In place the result lies where the first block is, which blocks of another size may overlap.
void NodeCall::reduce_scatter() {
    const Call& c = f_.call;
    const Type& type = f_.reduction.type;
    device::OfRanks n{};
    std::int64_t all = 0;
    for (int q = 0; q < f_.state.size; ++q) {
        n[static_cast<std::size_t>(q)] = c.counts ? c.counts[q] : c.recv_count;
        all += n[static_cast<std::size_t>(q)];
    }
    parts_ = device::node_reduce_scatter(me_, f_.reduction.kernel_name, type.size, n);
    const bool in_place = c.send == MPI_IN_PLACE;
    reads(static_cast<const char*>(in_place ? c.recv : c.send), all * type.size);
    writes(static_cast<char*>(c.recv), n[static_cast<std::size_t>(f_.state.rank)] * type.size,
           !in_place);
}

int NodeCall::bcast() {
    const Call& c = f_.call;
    packed_.emplace(c.recv, c.recv_count, f_.recv, f_.workspace.packed_recv);
    parts_ = device::node_bcast(me_, packed_->size(), c.root);
    if (parts_.receives) {
        writes(packed_->data(), packed_->size());
        return MPI_SUCCESS;
    }
    HOPBINE_TRY(packed_->pack());
    reads(packed_->data(), packed_->size());
    return MPI_SUCCESS;
}

int NodeCall::allgather() {
    const Call& c = f_.call;
    const std::int64_t block = c.recv_count * f_.recv.size;
    packed_.emplace(c.recv, c.recv_count * f_.state.size, f_.recv, f_.workspace.packed_recv);
    parts_ = device::node_allgather(me_, block);
    writes(packed_->data(), packed_->size());
    if (c.send == MPI_IN_PLACE) {
        HOPBINE_TRY(packed_->pack(f_.state.rank * c.recv_count, c.recv_count));
        reads(packed_->data() + f_.state.rank * block, block);
        return MPI_SUCCESS;
    }
    const Bytes own(c.send, c.send_count, f_.send, f_.workspace.packed_send);
    HOPBINE_TRY(own.pack());
    reads({own.data(), 1, own.size(), block});
    return MPI_SUCCESS;
}

int NodeCall::alltoall() {
    const Call& c = f_.call;
    const int p = f_.state.size;
    const bool in_place = c.send == MPI_IN_PLACE;
    const std::int64_t block = c.recv_count * f_.recv.size,
                       sent = in_place ? block : c.send_count * f_.send.size;
    packed_.emplace(c.recv, c.recv_count * p, f_.recv, f_.workspace.packed_recv);
    parts_ = device::node_alltoall(me_, block);
    writes(packed_->data(), packed_->size());
    const Bytes from(in_place ? c.recv : c.send, (in_place ? c.recv_count : c.send_count) * p,
                     in_place ? f_.recv : f_.send, f_.workspace.packed_send);
    HOPBINE_TRY(from.pack());
    reads({from.data(), p, sent, block});
    return MPI_SUCCESS;
}

bool NodeCall::begin() {
    const Input& c = copied_;
    char* const to = const_cast<char*>(in_);  // scratch, where there is something to copy
    if (c.bytes == c.wanted)
        return !c.blocks || copy(to, c.from, c.blocks * c.bytes, Direction::to_device);
    bool good = true;
    for (std::int64_t b = 0; b < c.blocks; ++b)
        good &= copy(to + b * c.wanted, c.from + b * c.bytes, std::min(c.bytes, c.wanted),
                     Direction::to_device);
    return good;
}

int NodeCall::end() {
    if (wanted_ &&
        !(copy(wanted_, out_, out_bytes_, Direction::to_host) && device_.space().wait(stream_)))
        return MPI_ERR_OTHER;
    if (error_ != MPI_SUCCESS || !packed_ || !parts_.receives) return error_;
    return packed_->unpack();
}

}  // namespace hopbine::mpi
