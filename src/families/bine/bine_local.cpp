#include "families/bine/bine_local.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "families/bine/bine.hpp"
#include "schedule/integers.hpp"

namespace hopbine::bine {

namespace {

class LocalTree : public Schedule {
public:
    LocalTree(int p, bool halving, std::function<BlockSet(int)> carried)
        : p_(p), steps_(ceil_log2(p)), halving_(halving), carried_(std::move(carried)) {}
    int steps() const override { return steps_; }
    void moves(int rank, int s, Step& out) const override {
        const int reached = halving_ ? halving_step(rank, p_) : doubling_step(rank, p_);
        if (s < reached) return;
        const int partner = pi(rank, halving_ ? steps_ - 1 - s : s, p_);
        if (s == reached)
            out.push_back({Direction::recv, Op::copy, partner, carried_(rank)});
        else
            out.push_back({Direction::send, Op::copy, partner, carried_(partner)});
    }

private:
    int p_, steps_;
    bool halving_;
    std::function<BlockSet(int)> carried_;
};

}  // namespace

int halving_step(int rank, int p) {
    if (rank == 0) return -1;
    const std::uint32_t digits = rank2nb(rank, p);
    return ceil_log2(p) - 1 - std::countr_zero(digits ^ (digits >> 1));
}

int doubling_step(int rank, int p) {
    return rank == 0 ? -1 : static_cast<int>(std::bit_width(v(rank, p))) - 1;
}

BlockSet halving_subtree(int rank, int p) {
    // Offsets below an even rank, of steps after it was reached; those below an odd one are
    // mirrored.
    std::int64_t low = 0, high = 0;
    for (int s = ceil_log2(p) - 1; s > halving_step(rank, p); --s) {
        const std::int64_t ahead = rho(ceil_log2(p) - 1 - s), first = ahead - high,
                           last = ahead - low;
        low = std::min(low, first);
        high = std::max(high, last);
    }
    return BlockSet::circular(rank % 2 ? rank - high : rank + low, high - low + 1, p);
}

SchedulePtr halving_walk(int p, std::function<BlockSet(int)> carried) {
    return std::make_shared<LocalTree>(p, true, std::move(carried));
}

SchedulePtr doubling_walk(int p, std::function<BlockSet(int)> carried) {
    return std::make_shared<LocalTree>(p, false, std::move(carried));
}

}  // namespace hopbine::bine
