#include "device/chunks.hpp"

#include <algorithm>
#include <utility>

namespace hopbine::device {

Chunks::Chunks(Copies& copies, Space& space, char* host, char* on_device, std::size_t bytes,
               bool arrives)
    : copies_(copies),
      space_(space),
      host_(host),
      on_device_(on_device),
      bytes_(bytes),
      chunks_((bytes + kChunk - 1) / kChunk) {
    for (Chunk& c : chunks_) {
        c.state = arrives ? State::on_device : State::here;
        c.unfinished = size_of(c);
    }
}

/// The events of chunks that nobody has waited for.
Chunks::~Chunks() {
    for (Chunk& c : chunks_)
        if (c.arrival) space_.wait_for(c.arrival);
}

std::size_t Chunks::size_of(const Chunk& chunk) const {
    return std::min(kChunk, bytes_ - begin_of(chunk));
}

/// f(chunk, bytes of it) for the chunks that have some of a range.
template <class F>
void Chunks::each(std::size_t from, std::size_t bytes, const F& f) {
    const std::size_t end = std::min(from + bytes, bytes_);
    for (std::size_t at = from; at < end;) {
        const std::size_t next = std::min(end, (at / kChunk + 1) * kChunk);
        f(chunks_[at / kChunk], next - at);
        at = next;
    }
}

void Chunks::fetch(Chunk& chunk) {
    if (chunk.state != State::on_device) return;
    begun_ = true;
    const std::size_t at = begin_of(chunk);
    copies_.to_host(host_ + at, on_device_ + at, size_of(chunk));
    chunk.arrival = copies_.mark();
    chunk.state = State::arriving;
}

void Chunks::fetch(std::size_t from, std::size_t bytes) {
    each(from, bytes, [this](Chunk& c, std::size_t) { fetch(c); });
}

void Chunks::wait_for(std::size_t from, std::size_t bytes) {
    fetch(from, bytes);
    each(from, bytes, [this](Chunk& c, std::size_t) { wait_for(c); });
}

void Chunks::wait_for(Chunk& chunk) {
    if (chunk.state != State::arriving) return;
    Event const arrival = std::exchange(chunk.arrival, nullptr);
    if (arrival ? !space_.wait_for(arrival) : !copies_.wait()) copies_.failed();
    chunk.state = State::here;
}

void Chunks::finish(std::size_t from, std::size_t bytes) {
    each(from, bytes, [this](Chunk& c, std::size_t some) {
        c.unfinished -= std::min(some, c.unfinished);
        if (c.unfinished == 0) store(c);
    });
}

void Chunks::finish_rest() {
    for (Chunk& c : chunks_) {
        wait_for(c);
        if (c.state == State::here && std::exchange(c.unfinished, 0) > 0) store(c);
    }
}

void Chunks::store(const Chunk& chunk) {
    const std::size_t at = begin_of(chunk);
    copies_.to_device(on_device_ + at, host_ + at, size_of(chunk));
}

}  // namespace hopbine::device
