/// Copies between host and device memory that are under way together.
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

#include "device/space.hpp"

namespace hopbine::device {

/// Bytes of a copy that keep a device's copy engine busy for longer than the next one takes to
/// begin.
inline constexpr std::size_t kChunk = 512 << 10;

/// Each is made in chunks that several streams take in turns.
class Copies {
public:
    Copies() = default;
    Copies(const Copies&) = delete;
    Copies& operator=(const Copies&) = delete;
    /// Waits for all copies: their memory may be gone afterwards.
    ~Copies() { wait(); }

    void to_host(void* host, const void* on_device, std::size_t bytes);
    void to_device(void* on_device, const void* host, std::size_t bytes);
    /// The point after the last copy, in the stream that makes it; null: unknown.
    Event mark();
    /// False: one of the copies failed.
    bool wait();
    void failed() { good_ = false; }

private:
    void add(void* to, const void* from, std::size_t bytes, Space* space, Direction direction);
    bool add_chunk(void* to, const void* from, std::size_t bytes, Space& space,
                   Direction direction);

    std::vector<std::pair<Space*, Stream>> under_way_;
    std::pair<Space*, Stream> last_{};  ///< that was given a copy
    std::size_t next_ = 0;              ///< chunk
    bool good_ = true;
};

}  // namespace hopbine::device
