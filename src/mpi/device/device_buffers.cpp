#include "mpi/device/device_buffers.hpp"

namespace hopbine::mpi {

namespace {

std::int64_t sum(const Array& counts, int size) {
    std::int64_t all = 0;
    for (int b = 0; b < size; ++b) all += counts[b];
    return all;
}

void append(std::vector<ByteRange>& all, const ByteRange& one) {
    if (!all.empty() && all.back().end() == one.begin)
        all.back().bytes += one.bytes;
    else
        all.push_back(one);
}

/// The bytes of an element's data, relative to its origin: those that change when ones are unpacked
/// over zeros.
std::vector<ByteRange> element(const Type& t) {
    if (t.plain) return {{0, t.size}};
    const std::vector<char> ones(static_cast<std::size_t>(t.size), '\xff');
    std::vector<char> seen(static_cast<std::size_t>(t.true_extent));
    const std::intptr_t origin = reinterpret_cast<std::intptr_t>(seen.data()) - t.true_lb;
    if (unpack_elements(reinterpret_cast<char*>(origin), 1, t, ones.data()) != MPI_SUCCESS)
        return {{t.true_lb, t.true_extent}};
    std::vector<ByteRange> out;
    for (std::int64_t at = 0; at < t.true_extent; ++at)
        if (seen[static_cast<std::size_t>(at)]) append(out, {t.true_lb + at, 1});
    return out;
}

}  // namespace

const void* UserBuffer::first() const {
    for (int b = 0; b < blocks; ++b) {
        if (elements(b) <= 0) continue;
        const Type t = describe(type);
        if (t.size <= 0) return nullptr;
        return reinterpret_cast<const void*>(reinterpret_cast<std::intptr_t>(base) +
                                             displacement(b) * t.extent + t.true_lb);
    }
    return nullptr;
}

std::vector<ByteRange> UserBuffer::pieces() const {
    const Type t = describe(type);
    if (t.size <= 0) return {};
    const std::vector<ByteRange> parts = element(t);
    const bool dense = parts.size() == 1 && parts[0].bytes == t.extent;
    std::vector<ByteRange> out;
    for (int b = 0; b < blocks; ++b) {
        const std::int64_t n = elements(b);
        const std::intptr_t begin =
            reinterpret_cast<std::intptr_t>(base) + displacement(b) * t.extent;
        if (dense && n > 0) append(out, {begin + parts[0].begin, n * t.extent});
        for (std::int64_t i = 0; !dense && i < n; ++i)
            for (const ByteRange& p : parts) append(out, {begin + i * t.extent + p.begin, p.bytes});
    }
    return out;
}

namespace {

/// Reductions have one datatype, and their counts are those of the result. In place a
/// reduce_scatter has its contribution in the receive buffer.
void set_reduced_counts(const Call& c, int rank, int size, UserBuffer& send, UserBuffer& recv) {
    send.type = c.recv_type;
    send.count = c.recv_count;
    if (spec(c.collective).after != Owner::number) return;
    send.count = c.counts ? sum(c.counts, size) : c.recv_count * size;
    recv.count = c.send == MPI_IN_PLACE ? send.count : c.counts ? c.counts[rank] : c.recv_count;
}

}  // namespace

std::array<UserBuffer, 2> user_buffers(const Call& c, int rank, int size) {
    const CollectiveSpec& s = spec(c.collective);
    const bool root = rank == c.root;
    UserBuffer send{.base = c.send, .type = c.send_type, .blocks = 1, .count = c.send_count};
    UserBuffer recv{.receives = true,
                    .written = !(root && s.before == Owner::root && s.after == Owner::every),
                    .base = c.recv,
                    .type = c.recv_type,
                    .blocks = 1,
                    .count = c.recv_count};
    if (s.reduces()) set_reduced_counts(c, rank, size, send, recv);
    const auto present = [&](UserBuffer& b, const BufferSpec& of, const Array& counts,
                             const Array& displacements, int all) {
        const Content content = root || !s.rooted() ? of.at_root : of.elsewhere;
        if (content == Content::nothing || b.base == MPI_IN_PLACE) return UserBuffer{};
        if (content != Content::blocks || s.reduces()) return b;
        b.blocks = displacements ? all : 1;
        b.count *= all;
        b.counts = counts;
        b.displacements = displacements;
        return b;
    };
    const BufferSpec none{Content::nothing, Content::nothing};
    return {present(send, s.send, c.send_counts, c.send_displacements, c.sent_blocks(size)),
            present(recv, uses_result(c, rank) ? s.recv : none, c.counts, c.displacements,
                    c.received_blocks(size))};
}

}  // namespace hopbine::mpi
