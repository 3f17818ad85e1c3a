/// A range of host memory and its counterpart on a device, copied piece by piece.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/copies.hpp"

namespace hopbine::device {

/// A chunk is copied to the host when some of it is asked for, and back once all of it is final.
/// Offsets are bytes from the beginning.
class Chunks {
public:
    /// `arrives`: the device's bytes are wanted on the host. Neither memory is the caller's until
    /// `copies` have ended.
    Chunks(Copies& copies, Space& space, char* host, char* on_device, std::size_t bytes,
           bool arrives);
    Chunks(Chunks&& other) = default;
    Chunks& operator=(Chunks&&) = delete;
    ~Chunks();

    char* host() const { return host_; }
    std::size_t bytes() const { return bytes_; }

    /// Begins copies to the host.
    void fetch(std::size_t from, std::size_t bytes);
    /// Ends them; begins those that were not.
    void wait_for(std::size_t from, std::size_t bytes);
    /// Bytes that will not change any more, told once: begins to copy them to the device.
    void finish(std::size_t from, std::size_t bytes);
    /// Begins to copy to the device what finish() was not told of. What was never asked for is
    /// there.
    void finish_rest();
    /// Copies arrive at other host memory. Before any has begun.
    void move_to(char* host) { host_ = host; }
    bool begun() const { return begun_; }

private:
    enum class State : std::uint8_t { on_device, arriving, here };
    struct Chunk {
        State state = State::on_device;
        Event arrival = nullptr;     ///< null: unknown
        std::size_t unfinished = 0;  ///< bytes that may change; 0: copied to the device
    };
    template <class F>
    void each(std::size_t from, std::size_t bytes, const F& f);
    void fetch(Chunk& chunk);
    void wait_for(Chunk& chunk);
    void store(const Chunk& chunk);
    std::size_t begin_of(const Chunk& chunk) const {
        return static_cast<std::size_t>(&chunk - chunks_.data()) * kChunk;
    }
    std::size_t size_of(const Chunk& chunk) const;

    Copies& copies_;
    Space& space_;
    char *host_, *on_device_;
    std::size_t bytes_;
    bool begun_ = false;
    std::vector<Chunk> chunks_;
};

}  // namespace hopbine::device
