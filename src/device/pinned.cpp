#include "device/pinned.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace hopbine::device {

namespace {

/// A range that is pinned for all devices; `by` pinned it.
struct Range {
    char* begin;
    std::size_t bytes;
    Space* by;
};

/// Sizes of ranges: eight between two powers of two.
std::size_t rounded(std::size_t bytes) {
    constexpr std::size_t kLeast = 64 << 10;
    const std::size_t step = std::max(kLeast, std::bit_floor(bytes) / 8);
    return (bytes + step - 1) / step * step;
}

Range make(std::size_t bytes, Space& by) {
    void* const memory =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    by.pin(memory, bytes);
    return {static_cast<char*>(memory), bytes, &by};
}

void free(const Range& range) {
    range.by->unpin(range.begin);
    munmap(range.begin, range.bytes);
}

/// Ranges that no call uses.
class Idle {
public:
    /// The smallest of at least `bytes` that is not much larger; else one without memory.
    Range take(std::size_t bytes) {
        const std::lock_guard hold(lock_);
        const auto fits = [&](const Range& r) { return r.bytes >= bytes && r.bytes / 2 < bytes; };
        auto best = all_.end();
        for (auto r = all_.begin(); r != all_.end(); ++r)
            if (fits(*r) && (best == all_.end() || r->bytes < best->bytes)) best = r;
        if (best == all_.end()) return {};
        const Range out = *best;
        all_.erase(best);
        bytes_ -= out.bytes;
        return out;
    }
    /// False: there is enough.
    bool keep(const Range& range) {
        constexpr std::size_t kMost = 256 << 20;
        const std::lock_guard hold(lock_);
        if (bytes_ + range.bytes > kMost) return false;
        bytes_ += range.bytes;
        all_.push_back(range);
        return true;
    }
    static Idle& get() {
        static Idle& one = *new Idle;
        return one;
    }

private:
    std::mutex lock_;
    std::vector<Range> all_;
    std::size_t bytes_ = 0;
};

}  // namespace

Pinned::Pinned(std::size_t bytes, Space& space) {
    const std::size_t size = rounded(bytes);
    Range range = Idle::get().take(size);
    if (!range.begin) range = make(size, space);
    begin_ = range.begin;
    bytes_ = range.bytes;
    space_ = range.by;
}

Pinned::~Pinned() {
    const Range range{begin_, bytes_, space_};
    if (begin_ && !Idle::get().keep(range)) free(range);
}

Pinned::Pinned(Pinned&& other) noexcept
    : begin_(std::exchange(other.begin_, nullptr)), bytes_(other.bytes_), space_(other.space_) {}

}  // namespace hopbine::device
