#include "mpi/entry/device_mirror.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <utility>

#include "mpi/state/device.hpp"
#include "mpi/state/log.hpp"

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

DeviceMirror::DeviceMirror(const Call& c, int rank, int size) : call_(c) {
    for (const UserBuffer& b : user_buffers(c, rank, size))
        if (const void* first = b.first(); first && DeviceRuntime::get().on_device(first)) add(b);
}

void DeviceMirror::add(const UserBuffer& user) {
    constexpr std::intptr_t kLine = 64;  // a copy has the alignment of the original
    std::vector<ByteRange> pieces = user.pieces();
    const auto low = std::ranges::min(pieces, {}, &ByteRange::begin).begin,
               high = std::ranges::max(pieces, {}, &ByteRange::end).end();
    const std::intptr_t start = low - low % kLine;
    Mapping memory(static_cast<std::size_t>(high - start));
    const std::intptr_t moved = reinterpret_cast<std::intptr_t>(memory.begin()) - start;
    for (const ByteRange& p : pieces)
        failed_ |= !DeviceRuntime::get().copy(at(p.begin + moved), at(p.begin),
                                              static_cast<std::size_t>(p.bytes), at(p.begin));
    (user.receives ? call_.recv : const_cast<void*&>(call_.send)) =
        at(reinterpret_cast<std::intptr_t>(user.base) + moved);
    copies_.push_back({user, std::move(pieces), std::move(memory), moved});
}

int DeviceMirror::finish(int error) {
    for (const Copy& c : copies_) {
        if (!c.user.written || error != MPI_SUCCESS || failed_) continue;
        for (const ByteRange& p : c.pieces)
            failed_ |= !DeviceRuntime::get().copy(at(p.begin), at(p.begin + c.moved),
                                                  static_cast<std::size_t>(p.bytes), at(p.begin));
    }
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
