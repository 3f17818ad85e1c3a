// Schedules of one step.
#include "combinators/combinators.hpp"

namespace hopbine {

namespace {

class OneMessage : public Schedule {
public:
    OneMessage(int from, int to, BlockSet blocks)
        : from_(from), to_(to), blocks_(std::move(blocks)) {}
    int steps() const override { return 1; }
    void moves(int rank, int, Step& out) const override {
        if (rank == from_) out.push_back({Direction::send, Op::copy, to_, blocks_});
        if (rank == to_) out.push_back({Direction::recv, Op::copy, from_, blocks_});
    }

private:
    int from_, to_;
    BlockSet blocks_;
};

class HandedOver : public Schedule {
public:
    explicit HandedOver(std::vector<Block> held) : held_(std::move(held)), holder_(held_.size()) {
        for (std::size_t r = 0; r < held_.size(); ++r)
            holder_[static_cast<std::size_t>(held_[r])] = static_cast<int>(r);
    }
    int steps() const override { return 1; }
    void moves(int r, int, Step& out) const override {
        const Block block = held_[static_cast<std::size_t>(r)];
        if (block == r) return;
        out.push_back(
            {Direction::send, Op::copy, static_cast<int>(block), BlockSet::single(block)});
        out.push_back(
            {Direction::recv, Op::copy, holder_[static_cast<std::size_t>(r)], BlockSet::single(r)});
    }

private:
    std::vector<Block> held_;
    std::vector<int> holder_;
};

}  // namespace

SchedulePtr one_message(int from, int to, BlockSet blocks) {
    return std::make_shared<OneMessage>(from, to, std::move(blocks));
}

SchedulePtr handed_over(std::vector<Block> held) {
    return std::make_shared<HandedOver>(std::move(held));
}

std::int64_t displaced(const std::vector<Block>& held) {
    std::int64_t n = 0;
    for (std::size_t r = 0; r < held.size(); ++r) n += held[r] != static_cast<Block>(r);
    return n;
}

}  // namespace hopbine
