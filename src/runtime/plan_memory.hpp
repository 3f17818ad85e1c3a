/// The memory that a plan is run on: where each position of its spaces lies.
#pragma once
#include <cstdint>
#include <vector>

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
    bool operator==(const Layout&) const = default;
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

/// Elements of a piece.
struct Extent {
    std::int64_t first, count;
};

/// The elements of a plan's messages in a memory. To find them takes divisions: they are kept for
/// the calls that are alike.
class Extents {
public:
    /// Finds those of a plan whose steps are all kept. False: they were known.
    bool find(const Plan& plan, const PlanMemory& memory) {
        // What a prefix points to may have changed.
        if (plan.number == plan_ && memory.layout == layout_ && !layout_.prefix &&
            memory.width == width_ && memory.reach == reach_)
            return false;
        plan_ = plan.number, layout_ = memory.layout;
        width_ = memory.width, reach_ = memory.reach;
        pieces_.clear();
        for (const Piece& p : plan.steps().pieces)
            pieces_.push_back({layout_(p.first), memory.elements(p)});
        counts_.clear();
        for (const Message& m : plan.steps().messages) {
            std::int64_t& count = counts_.emplace_back(0);
            for (std::uint32_t i = m.begin; i < m.end; ++i) count += pieces_[i].count;
        }
        return true;
    }
    /// One for each piece of the plan.
    const Extent* pieces() const { return pieces_.data(); }
    /// Elements of one of its messages.
    std::int64_t count(std::size_t message) const { return counts_[message]; }

private:
    std::uint64_t plan_ = 0;  ///< its number
    Layout layout_;
    std::int64_t width_ = 0, reach_ = 0;
    std::vector<Extent> pieces_;
    std::vector<std::int64_t> counts_;
};

}  // namespace hopbine::mpi
