/// Bytes of a user's buffer in one piece, and copies of them where they lie: on the host or a
/// device.
#pragma once
#include <algorithm>
#include <cstring>

#include "mpi/bind/bind_buffers.hpp"
#include "runtime/mirror.hpp"

namespace hopbine::mpi {

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

/// Copies bytes as they arrive from a device.
[[gnu::cold]] inline void copy_arriving(Mirror& mirror, char* to, const char* from,
                                        std::int64_t bytes) {
    constexpr std::int64_t kAtOnce = 512 << 10;
    mirror.fetch(from, bytes);
    mirror.fetch(to, bytes);
    for (std::int64_t at = 0; at < bytes; at += kAtOnce) {
        const std::int64_t some = std::min(kAtOnce, bytes - at);
        mirror.wait_for(from + at, some);
        mirror.wait_for(to + at, some);
        std::memcpy(to + at, from + at, static_cast<std::size_t>(some));
    }
}

/// Copies contiguous bytes, or begins to where they are on a device.
inline void copy(const ServedCall& f, char* to, const char* from, std::int64_t bytes) {
    if (f.device)
        f.device->copy(to, from, bytes);
    else if (f.mirror)
        copy_arriving(*f.mirror, to, from, bytes);
    else
        std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

/// Copies n elements, or begins to where they are on a device. Returns an MPI error code.
inline int copy(const ServedCall& f, char* to, const char* from, std::int64_t n, const Type& t) {
    if (!f.device && !f.mirror) return copy_elements(to, from, n, t);
    copy(f, to, from, n * t.size);  // of plain types only
    return MPI_SUCCESS;
}

}  // namespace hopbine::mpi
