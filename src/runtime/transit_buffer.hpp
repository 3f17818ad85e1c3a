/// Memory for blocks in transit: received by this rank, to be sent on in a later step.
///
/// It is as large as the most that is in transit at a time. A block may also stay in its receive
/// buffer.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "runtime/copy.hpp"

namespace hopbine::mpi {

class TransitBuffer {
public:
    /// Empties the buffer and makes slots 0 .. slots-1.
    void begin(std::size_t slots) {
        blocks_.assign(slots, {});
        end_ = live_ = needed_ = 0;
    }
    std::int64_t size(std::size_t slot) const { return blocks_[slot].size; }
    const char* data(std::size_t slot) const {
        return blocks_[slot].here() ? memory_.data() + blocks_[slot].at
                                    : reinterpret_cast<const char*>(~blocks_[slot].at);
    }
    void let_go(std::size_t slot) {
        if (blocks_[slot].here()) live_ -= blocks_[slot].size;
        blocks_[slot] = {};
    }
    /// Adds a block without a copy. `from` must stay valid until let_go().
    void lend(std::size_t slot, const char* from, std::int64_t bytes) {
        blocks_[slot] = {~reinterpret_cast<std::intptr_t>(from), bytes};
    }
    /// Makes room for blocks of `bytes` in all. May move the blocks in transit.
    void expect(std::int64_t bytes) {
        needed_ = std::max(needed_, live_ + bytes);
        if (end_ + bytes > capacity()) close_up();
        if (end_ + bytes > capacity()) memory_.resize(static_cast<std::size_t>(end_ + bytes));
    }
    void put(std::size_t slot, const char* from, std::int64_t bytes) {
        blocks_[slot] = {end_, bytes};
        copy_bytes(memory_.data() + end_, from, bytes);
        end_ += bytes;
        live_ += bytes;
    }
    /// Most bytes in transit at a time since begin().
    std::int64_t needed() const { return needed_; }
    std::int64_t capacity() const { return static_cast<std::int64_t>(memory_.size()); }
    void release() { memory_ = {}; }

private:
    struct Block {
        std::int64_t at = 0, size = 0;  ///< at: in memory_, or the complement of an address
        bool here() const { return at >= 0; }
    };

    /// Compacts the blocks: all free memory is behind them.
    void close_up() {
        std::vector<Block*> live;
        for (Block& b : blocks_)
            if (b.size && b.here()) live.push_back(&b);
        std::sort(live.begin(), live.end(),
                  [](const Block* a, const Block* b) { return a->at < b->at; });
        end_ = 0;
        for (Block* b : live) {
            std::memmove(memory_.data() + end_, memory_.data() + b->at,
                         static_cast<std::size_t>(b->size));
            b->at = end_;
            end_ += b->size;
        }
    }

    std::vector<Block> blocks_;
    std::vector<char> memory_;
    std::int64_t end_ = 0, live_ = 0, needed_ = 0;
};

}  // namespace hopbine::mpi
