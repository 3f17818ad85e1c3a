#include "combinators/symmetric.hpp"

#include "schedule/integers.hpp"

namespace hopbine {

namespace {

class Shifts : public Schedule {
public:
    Shifts(int p, int steps, Op op, std::function<int(int)> messages,
           std::function<int(int, int)> distance, std::function<BlockSet(int, int, int)> sent,
           Traits traits, std::function<std::int64_t(int, int)> blocks)
        : Schedule(std::move(traits)),
          p_(p),
          steps_(steps),
          op_(op),
          messages_(std::move(messages)),
          distance_(std::move(distance)),
          sent_(std::move(sent)),
          blocks_(std::move(blocks)) {}
    int steps() const override { return steps_; }
    void moves(int rank, int s, Step& out) const override {
        for (int i = 0; i < messages_(s); ++i) {
            const int d = distance_(s, i), to = mod(std::int64_t{rank} + d, p_),
                      from = mod(std::int64_t{rank} - d, p_);
            if (BlockSet sent = sent_(rank, s, i); !sent.empty())
                out.push_back({Direction::send, op_, to, std::move(sent)});
            if (BlockSet received = sent_(from, s, i); !received.empty())
                out.push_back({Direction::recv, op_, from, std::move(received)});
        }
    }

protected:
    void count(int rank, int s, MoveSizes& out) const override {
        if (!blocks_) return Schedule::count(rank, s, out);
        for (int i = 0; i < messages_(s); ++i) {
            const std::int64_t n = blocks_(s, i);
            if (n == 0) continue;
            const int d = distance_(s, i);
            out.push_back({Direction::send, op_, mod(std::int64_t{rank} + d, p_), n});
            out.push_back({Direction::recv, op_, mod(std::int64_t{rank} - d, p_), n});
        }
    }

private:
    int p_, steps_;
    Op op_;
    std::function<int(int)> messages_;
    std::function<int(int, int)> distance_;
    std::function<BlockSet(int, int, int)> sent_;
    std::function<std::int64_t(int, int)> blocks_;  ///< number of blocks; may be null
};

class Exchanges : public Schedule {
public:
    Exchanges(int steps, Op op, std::function<int(int, int)> partner,
              std::function<BlockSet(int, int)> sent)
        : steps_(steps), op_(op), partner_(std::move(partner)), sent_(std::move(sent)) {}
    int steps() const override { return steps_; }
    void moves(int rank, int s, Step& out) const override {
        const int peer = partner_(rank, s);
        if (BlockSet sent = sent_(rank, s); !sent.empty())
            out.push_back({Direction::send, op_, peer, std::move(sent)});
        if (BlockSet received = sent_(peer, s); !received.empty())
            out.push_back({Direction::recv, op_, peer, std::move(received)});
    }

private:
    int steps_;
    Op op_;
    std::function<int(int, int)> partner_;
    std::function<BlockSet(int, int)> sent_;
};

class RootToAllAtOnce : public Schedule {
public:
    RootToAllAtOnce(int p, int root, std::function<BlockSet(int)> blocks)
        : p_(p), root_(root), blocks_(std::move(blocks)) {}
    int steps() const override { return p_ > 1 ? 1 : 0; }
    void moves(int rank, int, Step& out) const override {
        if (rank != root_) {
            out.push_back({Direction::recv, Op::copy, root_, blocks_(rank)});
            return;
        }
        // Ascending from the root, then descending. Reversed, a non-commutative operation then
        // combines neighbours in order.
        for (int r = root_ + 1; r < p_; ++r)
            out.push_back({Direction::send, Op::copy, r, blocks_(r)});
        for (int r = root_ - 1; r >= 0; --r)
            out.push_back({Direction::send, Op::copy, r, blocks_(r)});
    }

private:
    int p_, root_;
    std::function<BlockSet(int)> blocks_;
};

}  // namespace

SchedulePtr shifts_at_once(int p, int steps, Op op, std::function<int(int)> messages,
                           std::function<int(int, int)> distance,
                           std::function<BlockSet(int, int, int)> sent, Wire wire) {
    return shifts_of(p, steps, op, std::move(messages), std::move(distance), std::move(sent), {},
                     {.wire = wire});
}

SchedulePtr shifts_of(int p, int steps, Op op, std::function<int(int)> messages,
                      std::function<int(int, int)> distance,
                      std::function<BlockSet(int, int, int)> sent,
                      std::function<std::int64_t(int, int)> blocks, Traits traits) {
    traits.period = 1;
    return std::make_shared<Shifts>(p, steps, op, std::move(messages), std::move(distance),
                                    std::move(sent), std::move(traits), std::move(blocks));
}

SchedulePtr shifts(int p, int steps, Op op, std::function<int(int)> distance,
                   std::function<BlockSet(int, int)> sent, Wire wire) {
    return shifts_at_once(
        p, steps, op, [](int) { return 1; },
        [distance = std::move(distance)](int s, int) { return distance(s); },
        [sent = std::move(sent)](int rank, int s, int) { return sent(rank, s); }, wire);
}

SchedulePtr exchanges(int steps, Op op, std::function<int(int, int)> partner,
                      std::function<BlockSet(int, int)> sent) {
    return std::make_shared<Exchanges>(steps, op, std::move(partner), std::move(sent));
}

SchedulePtr all_to_all_at_once(int p, std::function<Block(int, int)> block) {
    // Starting with the right neighbour spreads the load.
    return shifts_of(
        p, p > 1 ? 1 : 0, Op::copy, [p](int) { return p - 1; }, [](int, int i) { return i + 1; },
        [p, block = std::move(block)](int rank, int, int i) {
            return BlockSet::single(block(rank, mod(rank + i + 1, p)));
        },
        [](int, int) { return 1; }, {.complete = Op::copy});
}

SchedulePtr root_to_all_at_once(int p, int root, std::function<BlockSet(int)> blocks) {
    return std::make_shared<RootToAllAtOnce>(p, root, std::move(blocks));
}

}  // namespace hopbine
