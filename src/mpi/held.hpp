/// Blocks on their way through this rank, in memory that follows what is held at a time.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "mpi/copy.hpp"

namespace hopbine::mpi {

class Held {
public:
    /// Nothing is held; blocks will be named 0 .. slots-1.
    void begin(std::int64_t slots) {
        blocks_.assign(static_cast<std::size_t>(slots), {});
        end_ = live_ = needed_ = 0;
    }
    std::int64_t size(std::int64_t slot) const { return block(slot).size; }
    const char* data(std::int64_t slot) const { return memory_.data() + block(slot).at; }
    void let_go(std::int64_t slot) {
        live_ -= block(slot).size;
        block(slot) = {};
    }
    /// Room for blocks that arrive, so many bytes together. Moves what is held.
    void expect(std::int64_t bytes) {
        needed_ = std::max(needed_, live_ + bytes);
        if (end_ + bytes > capacity()) close_up();
        if (end_ + bytes > capacity()) memory_.resize(static_cast<std::size_t>(end_ + bytes));
    }
    void put(std::int64_t slot, const char* from, std::int64_t bytes) {
        block(slot) = {end_, bytes};
        copy_bytes(memory_.data() + end_, from, bytes);
        end_ += bytes;
        live_ += bytes;
    }
    /// The most bytes that were held at a time since `begin`.
    std::int64_t needed() const { return needed_; }
    std::int64_t capacity() const { return static_cast<std::int64_t>(memory_.size()); }
    void release() { memory_ = {}; }

private:
    struct Block { std::int64_t at = 0, size = 0; };
    Block& block(std::int64_t slot) { return blocks_[static_cast<std::size_t>(slot)]; }
    const Block& block(std::int64_t slot) const { return blocks_[static_cast<std::size_t>(slot)]; }

    /// Gaps that blocks left behind go to the end.
    void close_up() {
        std::vector<Block*> live;
        for (Block& b : blocks_)
            if (b.size) live.push_back(&b);
        std::sort(live.begin(), live.end(), [](const Block* a, const Block* b) { return a->at < b->at; });
        end_ = 0;
        for (Block* b : live) {
            std::memmove(memory_.data() + end_, memory_.data() + b->at, static_cast<std::size_t>(b->size));
            b->at = end_;
            end_ += b->size;
        }
    }

    std::vector<Block> blocks_;
    std::vector<char> memory_;
    std::int64_t end_ = 0, live_ = 0, needed_ = 0;
};

}  // namespace hopbine::mpi
