/// A priority queue for events of a simulation: a hierarchical timing wheel.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace hopbine::simulation {

/// What is due at a time.
struct Due {
    std::uint64_t time, what;
};

/// Events by time, those of equal times in the order in which they were pushed. Pushed times are
/// at least that of the last event popped. An event is kept in the slot of its highest byte that
/// differs from the current time (Varghese and Lauck, SOSP'87, scheme 7), and moves down when the
/// time comes to that slot: at most once per level, independent of the number of events. Slots are
/// chains of blocks from one pool, so that nothing is allocated once the pool is large enough.
class Wheel {
public:
    void push(Due due) {
        const int level = due.time == now_ ? 0 : (63 - std::countl_zero(due.time ^ now_)) / kBits;
        put(level, static_cast<int>(due.time >> (level * kBits)) & (kSlots - 1), due);
    }
    /// Removes the next event. Returns false if there is none.
    bool pop(Due& due) {
        while (read_ == opened_.filled) {
            if (opened_.first >= 0) release(opened_.first), opened_ = {};
            read_ = 0;
            if (!open()) return false;
        }
        const Block& b = blocks_[static_cast<std::size_t>(opened_.first)];
        due = b.due[static_cast<std::size_t>(read_ % kBlock)];
        ++read_;
        if (read_ % kBlock == 0 && read_ < opened_.filled) {
            const int next = b.next;
            release(opened_.first);
            opened_.first = next;
            opened_.filled -= kBlock;
            read_ = 0;
        }
        return true;
    }
    /// Calls a function with the event behind `skipped` more, if that is at the current time; for
    /// prefetching.
    template <typename Function>
    void peek(int skipped, Function&& f) const {
        int at = read_ + skipped;
        if (at >= opened_.filled) return;
        const Block* b = &blocks_[static_cast<std::size_t>(opened_.first)];
        if (at >= kBlock) b = &blocks_[static_cast<std::size_t>(b->next)], at -= kBlock;
        f(b->due[static_cast<std::size_t>(at)]);
    }

private:
    static constexpr int kBits = 10, kSlots = 1 << kBits, kLevels = (64 + kBits - 1) / kBits,
                         kBlock = 31;
    struct alignas(64) Block {
        int next;
        std::array<Due, kBlock> due;
    };
    /// A chain of blocks; `filled` events, all blocks but the last are full.
    struct Slot {
        int first = -1, last = -1, filled = 0;
    };

    void put(int level, int digit, const Due& due) {
        Slot& s = slots_[static_cast<std::size_t>(level * kSlots + digit)];
        const int at = s.filled % kBlock;
        if (at == 0) {
            const int id = obtain();
            (s.first < 0 ? s.first : blocks_[static_cast<std::size_t>(s.last)].next) = id;
            s.last = id;
            used_[static_cast<std::size_t>(level * (kSlots / 64) + digit / 64)] |= std::uint64_t{1}
                                                                                   << (digit % 64);
        }
        blocks_[static_cast<std::size_t>(s.last)].due[static_cast<std::size_t>(at)] = due;
        ++s.filled;
    }
    int obtain() {
        if (unused_ < 0) {
            blocks_.emplace_back().next = -1;
            return static_cast<int>(blocks_.size()) - 1;
        }
        const int id = unused_;
        unused_ = blocks_[static_cast<std::size_t>(id)].next;
        blocks_[static_cast<std::size_t>(id)].next = -1;
        return id;
    }
    void release(int id) {
        blocks_[static_cast<std::size_t>(id)].next = unused_;
        unused_ = id;
    }
    bool open();
    Slot take(int level, int digit);

    std::uint64_t now_ = 0;
    std::vector<Block> blocks_;
    int unused_ = -1;
    std::array<Slot, kLevels * kSlots> slots_{};
    std::array<std::uint64_t, kLevels * kSlots / 64> used_{};  ///< a bit per slot
    Slot opened_;                                              ///< events of the current time
    int read_ = 0;  ///< events of `opened_` that were popped
};

}  // namespace hopbine::simulation
