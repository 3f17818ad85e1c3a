#include "mpi/device/device_mirror.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <utility>

#include "device/runtime.hpp"
#include "runtime/log.hpp"

namespace hopbine::mpi {

namespace {

void* at(std::intptr_t address) { return reinterpret_cast<void*>(address); }

}  // namespace

Mapping::Mapping(std::size_t bytes)
    : begin_(static_cast<char*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))),
      bytes_(bytes) {
    if (begin_ == MAP_FAILED) throw std::bad_alloc();
}

Mapping::~Mapping() {
    if (begin_) munmap(begin_, bytes_);
}

Mapping::Mapping(Mapping&& other) noexcept
    : begin_(std::exchange(other.begin_, nullptr)), bytes_(other.bytes_) {}

namespace {

/// Whether the call reads a buffer that it is given. Of a receive buffer it else writes all data:
/// among neighbours not the blocks of those that do not exist.
bool reads(const Call& c, const UserBuffer& b) {
    return !b.receives || !b.written || c.send == MPI_IN_PLACE || c.among_neighbors;
}

/// Host memory for a copy of `pieces`, which a range of `bytes` holds.
HostMemory host_memory(std::size_t bytes, const std::vector<ByteRange>& pieces) {
    std::int64_t data = 0;
    for (const ByteRange& p : pieces) data += p.bytes;
    device::Space* const space = device::Runtime::get().space_of(at(pieces.front().begin));
    if (space && 2 * static_cast<std::size_t>(data) >= bytes) return device::Pinned(bytes, *space);
    return Mapping(bytes);
}

}  // namespace

DeviceMirror::DeviceMirror(const Call& c, int rank, int size) : call_(c) {
    copies_.reserve(2);
    for (const UserBuffer& b : user_buffers(c, rank, size))
        if (const void* first = b.first(); first && device::Runtime::get().on_device(first)) add(b);
    failed_ = !under_way_.wait();
}

void DeviceMirror::add(const UserBuffer& user) {
    constexpr std::intptr_t kLine = 64;  // a copy has the alignment of the original
    std::vector<ByteRange> pieces = user.pieces();
    const auto low = std::ranges::min(pieces, {}, &ByteRange::begin).begin,
               high = std::ranges::max(pieces, {}, &ByteRange::end).end();
    const std::intptr_t start = low - low % kLine;
    HostMemory memory = host_memory(static_cast<std::size_t>(high - start), pieces);
    copies_.push_back({user, std::move(pieces), std::move(memory), 0, {}});
    Copy& copy = copies_.back();
    char* const begin = std::visit([](const auto& m) { return m.begin(); }, copy.memory);
    copy.moved = reinterpret_cast<std::intptr_t>(begin) - start;
    (user.receives ? call_.recv : const_cast<void*&>(call_.send)) =
        at(reinterpret_cast<std::intptr_t>(user.base) + copy.moved);
    if (add_chunks(copy) || !reads(call_, user)) return;
    for (const ByteRange& p : copy.pieces)
        under_way_.to_host(at(p.begin + copy.moved), at(p.begin),
                           static_cast<std::size_t>(p.bytes));
}

/// False: the data is copied at once, before the call and after it.
bool DeviceMirror::add_chunks(Copy& copy) {
    const ByteRange all = copy.pieces.front();
    const auto bytes = static_cast<std::size_t>(all.bytes);
    device::Space* const space = device::Runtime::get().space_of(at(all.begin));
    if (copy.pieces.size() > 1 || bytes <= device::kChunk || !space) return false;
    copy.chunks.emplace(under_way_, *space, static_cast<char*>(at(all.begin + copy.moved)),
                        static_cast<char*>(at(all.begin)), bytes, reads(call_, copy.user));
    call_.mirror = this;
    return true;
}

/// f(copy, offset) for the copies in chunks that have a range.
template <class F>
void DeviceMirror::each(const char* at, std::int64_t bytes, const F& f) {
    for (Copy& c : copies_) {
        if (!c.chunks || bytes <= 0) continue;
        const auto offset = reinterpret_cast<std::uintptr_t>(at) -
                            reinterpret_cast<std::uintptr_t>(c.chunks->host());
        if (offset < c.chunks->bytes()) f(c, offset);
    }
}

void DeviceMirror::fetch(const char* at, std::int64_t bytes) {
    each(at, bytes, [&](Copy& c, std::size_t offset) {
        c.chunks->fetch(offset, static_cast<std::size_t>(bytes));
    });
}

void DeviceMirror::fetch_all() {
    for (Copy& c : copies_)
        if (c.chunks) c.chunks->fetch(0, c.chunks->bytes());
}

void DeviceMirror::wait_for(const char* at, std::int64_t bytes) {
    each(at, bytes, [&](Copy& c, std::size_t offset) {
        c.chunks->wait_for(offset, static_cast<std::size_t>(bytes));
    });
}

void DeviceMirror::wait_for_all() {
    fetch_all();
    for (Copy& c : copies_)
        if (c.chunks) c.chunks->wait_for(0, c.chunks->bytes());
}

void DeviceMirror::store(const char* at, std::int64_t bytes) {
    each(at, bytes, [&](Copy& c, std::size_t offset) {
        if (c.user.written) c.chunks->finish(offset, static_cast<std::size_t>(bytes));
    });
}

bool DeviceMirror::redirect(const char* from, char* to, std::int64_t bytes) {
    const auto size = static_cast<std::size_t>(bytes);
    Copy *source = nullptr, *target = nullptr;
    each(from, bytes, [&](Copy& c, std::size_t offset) { source = offset ? nullptr : &c; });
    each(to, bytes, [&](Copy& c, std::size_t) { target = &c; });
    if (!source || !target || source->user.receives || source->chunks->begun() ||
        source->chunks->bytes() != size)
        return false;
    source->chunks->move_to(to);
    return true;
}

const Call& DeviceMirror::arrived_call() {
    wait_for_all();
    return call_;
}

int DeviceMirror::finish(int error) {
    for (Copy& c : copies_)  // may arrive where results are
        if (c.chunks && !c.user.written) c.chunks->wait_for(0, c.chunks->bytes());
    for (Copy& c : copies_) {
        if (!c.user.written || error != MPI_SUCCESS || failed_) continue;
        if (c.chunks) {
            c.chunks->finish_rest();
            continue;
        }
        for (const ByteRange& p : c.pieces)
            under_way_.to_device(at(p.begin), at(p.begin + c.moved),
                                 static_cast<std::size_t>(p.bytes));
    }
    failed_ |= !under_way_.wait();
    if (!failed_) return error;
    say_rank("a copy between device and host memory failed");
    return error != MPI_SUCCESS ? error : MPI_ERR_OTHER;
}

int run_mirrored(const ServedCall& f) {
    DeviceMirror mirror(f.call, f.state.rank, f.state.size);
    return mirror.finish(run({mirror.call(), f.state, f.plan, f.send, f.recv, f.reduction,
                              f.endpoint, f.workspace, f.nonuniform}));
}

}  // namespace hopbine::mpi
