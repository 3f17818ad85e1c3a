#include "runtime/peers.hpp"

namespace hopbine::mpi {

namespace {

/// Places begin as memory of the device does.
constexpr std::int64_t kAlignment = 256;

}  // namespace

/// The first gap that is large enough.
char* PeerWorkspace::take(std::int64_t bytes) {
    const std::lock_guard hold(lock_);
    std::int64_t from = 0;
    for (const auto& [begin, end] : taken_) {
        if (begin - from >= bytes) break;
        from = end;
    }
    if (bytes_ - from < bytes) return nullptr;
    taken_.emplace(from, (from + bytes + kAlignment - 1) / kAlignment * kAlignment);
    return begin_ + from;
}

void PeerWorkspace::give_back(const char* buffer) {
    const std::lock_guard hold(lock_);
    taken_.erase(offset(buffer));
}

}  // namespace hopbine::mpi
