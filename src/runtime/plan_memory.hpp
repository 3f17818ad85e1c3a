/// The memory that a plan is run on: where each position of its spaces lies.
#pragma once
#include <cstdint>

#include "runtime/plan.hpp"
#include "schedule/integers.hpp"

namespace hopbine::mpi {

/// Maps a position to an element: equal blocks, a vector cut into p parts, or parts of given sizes.
class Layout {
public:
    std::int64_t block = 0;                ///< elements of a block; 0: a vector cut in parts
    std::int64_t n = 0, parts = 1;         ///< part b is [b n / parts, (b+1) n / parts)
    const std::int64_t* prefix = nullptr;  ///< first element of every position; or null
    std::int64_t within = 1;  ///< parts per block; above 1 positions are those of parts
    /// Always inlined: short steps ask for little else.
    [[gnu::always_inline]] std::int64_t operator()(std::int64_t position) const {
        return within == 1 ? whole(position) : of_part(position);
    }

private:
    [[gnu::noinline]] std::int64_t of_part(std::int64_t position) const {
        return part_begin(position, within, [this](std::int64_t b) { return whole(b); });
    }
    [[gnu::always_inline]] std::int64_t whole(std::int64_t position) const {
        return prefix ? prefix[position] : block ? position * block : part(position);
    }
    /// The ends of the vector without divisions, which take as long as the rest of a short step.
    [[gnu::always_inline]] std::int64_t part(std::int64_t position) const {
        return position == 0 ? 0 : position == parts ? n : proportional(position, parts, n);
    }
};

struct PlanMemory {
    char* base[3] = {};   ///< of each Space
    char* own = nullptr;  ///< the user's vector, read only: a plan that begins `direct` uses it
                          ///< instead of a copy in `base`; null: `base` has the vector
    Layout layout;
    std::int64_t width = 1;  ///< bytes from element to element
    /// The data of an element begins at byte `low`, and is `reach` bytes long; both 0: it fills the
    /// element.
    std::int64_t low = 0, reach = 0;
    bool signals = false;  ///< messages without data are sent; otherwise they are left out

    std::int64_t elements(const Piece& p) const {
        return layout(p.first + p.count) - layout(p.first);
    }
    char* address(const Piece& p) const { return in(base[static_cast<int>(p.space)], p); }
    /// Address of the same positions in another copy of the space.
    char* in(char* space, const Piece& p) const { return space + layout(p.first) * width; }
};

}  // namespace hopbine::mpi
