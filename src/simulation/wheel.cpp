#include "simulation/wheel.hpp"

namespace hopbine::simulation {

/// Removes a slot's chain.
Wheel::Slot Wheel::take(int level, int digit) {
    Slot& s = slots_[static_cast<std::size_t>(level * kSlots + digit)];
    const Slot out = s;
    s = {};
    used_[static_cast<std::size_t>(level * (kSlots / 64) + digit / 64)] &=
        ~(std::uint64_t{1} << (digit % 64));
    return out;
}

/// Opens the next slot of single times. Slots of the levels above move down first. Returns false
/// if there is none.
bool Wheel::open() {
    for (int level = 0; level < kLevels;) {
        const int words = level * (kSlots / 64);
        int word = (static_cast<int>(now_ >> (level * kBits)) & (kSlots - 1)) / 64;
        // Slots of the past are empty, as is the current one of every level but the lowest.
        while (word < kSlots / 64 && !used_[static_cast<std::size_t>(words + word)]) ++word;
        if (word == kSlots / 64) {
            ++level;
            continue;
        }
        const int digit =
            word * 64 + std::countr_zero(used_[static_cast<std::size_t>(words + word)]);
        const int shift = level * kBits;
        const std::uint64_t above =
            level + 1 == kLevels ? 0 : now_ >> (shift + kBits) << (shift + kBits);
        now_ = above | static_cast<std::uint64_t>(digit) << shift;
        if (level == 0) {
            opened_ = take(0, digit);
            return true;
        }
        const Slot moved = take(level, digit);
        int left = moved.filled;
        for (int id = moved.first; id >= 0;) {
            for (int i = 0; i < kBlock && left > 0; ++i, --left)
                push(Due(blocks_[static_cast<std::size_t>(id)].due[static_cast<std::size_t>(i)]));
            const int next = blocks_[static_cast<std::size_t>(id)].next;
            release(id);
            id = next;
        }
        level = 0;
    }
    return false;
}

}  // namespace hopbine::simulation
