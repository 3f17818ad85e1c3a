#include "families/exchange/direct_alltoall.hpp"

#include <algorithm>

#include "combinators/symmetric.hpp"
#include "schedule/integers.hpp"

namespace hopbine::direct_alltoall {

namespace {

BlockSet block(int p, int origin, int destination) {
    return BlockSet::single(Block{origin} * p + destination);
}

class InRankOrder : public Schedule {
public:
    explicit InRankOrder(int p) : Schedule({.period = 1}), p_(p) {}
    int steps() const override { return p_ > 1 ? 1 : 0; }
    void moves(int rank, int, Step& out) const override {
        for (int other = 0; other < p_; ++other) {
            if (other == rank) continue;
            out.push_back({Direction::send, Op::copy, other, block(p_, rank, other)});
            out.push_back({Direction::recv, Op::copy, other, block(p_, other, rank)});
        }
    }

private:
    int p_;
};

class ExclusiveOr : public Schedule {
public:
    explicit ExclusiveOr(int p) : Schedule({.mirrored = true}), p_(p) {}
    int steps() const override { return p_ - 1; }
    void moves(int rank, int s, Step& out) const override {
        const int peer = rank ^ (s + 1);
        out.push_back({Direction::send, Op::copy, peer, block(p_, rank, peer)});
        out.push_back({Direction::recv, Op::copy, peer, block(p_, peer, rank)});
    }

private:
    int p_;
};

}  // namespace

SchedulePtr batches(int p, std::int64_t batch) {
    const auto size = static_cast<int>(std::clamp<std::int64_t>(batch, 1, std::max(1, p - 1)));
    return shifts_at_once(
        p, ceil_div(p - 1, size), Op::copy, [=](int s) { return std::min(size, p - 1 - s * size); },
        [=](int s, int i) { return s * size + i + 1; },
        [=](int rank, int s, int i) {
            return block(p, rank, mod(std::int64_t{rank} + s * size + i + 1, p));
        });
}

SchedulePtr in_rank_order(int p) { return std::make_shared<InRankOrder>(p); }

SchedulePtr exclusive_or(int p) { return std::make_shared<ExclusiveOr>(p); }

}  // namespace hopbine::direct_alltoall
