#include "device/copies.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>

#include "device/runtime.hpp"

namespace hopbine::device {

namespace {

using Streams = std::array<Stream, 2>;

/// The streams of each space, made at their first use.
class AllStreams {
public:
    Streams of(Space& space) {
        const std::lock_guard hold(lock_);
        const auto [at, is_new] = all_.try_emplace(&space);
        if (is_new)
            for (Stream& s : at->second) s = space.make_stream();
        return at->second;
    }
    void forget(Space& space) {
        const std::lock_guard hold(lock_);
        all_.erase(&space);
    }
    static AllStreams& get() {
        static AllStreams& one = *new AllStreams;
        return one;
    }

private:
    std::mutex lock_;
    std::map<Space*, Streams> all_;
};

}  // namespace

void Copies::to_host(void* host, const void* on_device, std::size_t bytes) {
    add(host, on_device, bytes, Runtime::get().space_of(on_device), Direction::to_host);
}

void Copies::to_device(void* on_device, const void* host, std::size_t bytes) {
    add(on_device, host, bytes, Runtime::get().space_of(on_device), Direction::to_device);
}

void Copies::add(void* to, const void* from, std::size_t bytes, Space* space, Direction direction) {
    for (std::size_t at = 0; at < bytes && good_; at += kChunk)
        good_ = space && add_chunk(static_cast<char*>(to) + at, static_cast<const char*>(from) + at,
                                   std::min(kChunk, bytes - at), *space, direction);
}

bool Copies::add_chunk(void* to, const void* from, std::size_t bytes, Space& space,
                       Direction direction) {
    for (int attempt = 0; attempt < 2; ++attempt) {
        const Streams streams = AllStreams::get().of(space);
        const Stream stream = streams[next_++ % streams.size()];
        if (stream && space.copy(to, from, bytes, direction, stream)) {
            last_ = {&space, stream};
            if (std::ranges::find(under_way_, last_) == under_way_.end())
                under_way_.push_back(last_);
            return true;
        }
        AllStreams::get().forget(space);  // of before the program has reset the device
    }
    return false;
}

Event Copies::mark() { return last_.first ? last_.first->mark(last_.second) : nullptr; }

bool Copies::wait() {
    for (const auto& [space, stream] : under_way_) good_ &= space->wait(stream);
    under_way_.clear();
    return good_;
}

}  // namespace hopbine::device
