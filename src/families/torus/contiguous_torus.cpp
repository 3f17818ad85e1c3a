#include "combinators/combinators.hpp"
#include "families/torus/dimension_order.hpp"
#include "schedule/integers.hpp"

namespace hopbine::torus {

namespace {

/// Line whose steps halve what a coordinate covers. Coordinate a has partner partner[t][a] in step
/// t. The bits of position[a], highest first, say in which steps the block of a is sent.
struct HalvingLine {
    std::vector<std::vector<int>> partner;
    std::vector<int> position;
};

/// The message that coordinate a sends in step t. Nothing unless it sends only one, and receives
/// one from the same partner.
std::optional<Move> exchange(const Schedule& line, int a, int t) {
    Step moves;
    line.moves(a, t, moves);
    if (moves.size() != 2 || moves[0].peer != moves[1].peer ||
        moves[0].direction == moves[1].direction)
        return {};
    return moves[0].direction == Direction::send ? moves[0] : moves[1];
}

/// The halving line of `line`, or nothing if a step does not halve. Coordinates whose positions
/// agree so far form a group. The half of the group that its first coordinate sends gets the next
/// bit.
std::optional<HalvingLine> halving(const Schedule& line, int n) {
    if (!power_of_two(n) || line.steps() != ceil_log2(n)) return {};
    HalvingLine out{{}, std::vector<int>(static_cast<std::size_t>(n), 0)};
    for (int t = 0; t < line.steps(); ++t) {
        std::vector<Move> sent;
        out.partner.emplace_back();
        for (int a = 0; a < n; ++a) {
            auto move = exchange(line, a, t);
            if (!move || move->blocks.size() != n >> (t + 1)) return {};
            out.partner.back().push_back(move->peer);
            sent.push_back(std::move(*move));
        }
        std::vector<int> leader(static_cast<std::size_t>(1) << t, -1),
            next(static_cast<std::size_t>(n));
        for (int a = 0; a < n; ++a) {
            int& first =
                leader[static_cast<std::size_t>(out.position[static_cast<std::size_t>(a)])];
            if (first < 0) first = a;
            next[static_cast<std::size_t>(a)] =
                2 * out.position[static_cast<std::size_t>(a)] +
                sent[static_cast<std::size_t>(first)].blocks.contains(a);
        }
        // A coordinate must send exactly the half of its group without its own block.
        for (int a = 0; a < n; ++a) {
            std::vector<Block> others;
            for (int b = 0; b < n; ++b)
                if (next[static_cast<std::size_t>(b)] == (next[static_cast<std::size_t>(a)] ^ 1))
                    others.push_back(b);
            if (BlockSet::of(std::move(others)) != sent[static_cast<std::size_t>(a)].blocks)
                return {};
        }
        out.position = std::move(next);
    }
    return out;
}

class Halves : public OnTorus {
public:
    Halves(const Shape& shape, Lines lines, std::vector<HalvingLine> halving, int first)
        : OnTorus(shape, std::move(lines), Turns::step_by_step, first),
          halving_(std::move(halving)) {
        const int p = ranks(shape);
        for (int r = 0; r < p; ++r) {
            Block at = 0;
            for (const Turn& t : turns_) {
                const int n = shape[t.dimension],
                          x = halving_[t.dimension]
                                  .position[static_cast<std::size_t>(at_.of(r, t.dimension))];
                at = 2 * at + (x >> (floor_log2(n) - 1 - t.step) & 1);
            }
            positions_.push_back(at);
        }
    }
    const std::vector<Block>& positions() const { return positions_; }
    void moves(int rank, int s, Step& out) const override {
        const int q = partner(rank, s);
        out.push_back({Direction::send, Op::reduce, q, window(q, s + 1)});
        out.push_back({Direction::recv, Op::reduce, q, window(rank, s + 1)});
    }

protected:
    void count(int rank, int s, MoveSizes& out) const override {
        for (const Direction direction : {Direction::send, Direction::recv})
            out.push_back({direction, Op::reduce, partner(rank, s), width(s + 1)});
    }

private:
    int partner(int rank, int s) const {
        const auto [d, step] = turn(s);
        return at_.moved(rank, d,
                         halving_[d].partner[static_cast<std::size_t>(step)]
                                            [static_cast<std::size_t>(at_.of(rank, d))]);
    }
    /// Number of positions that share their top s bits.
    Block width(int s) const { return Block{ranks(shape())} >> s; }
    /// The positions that share the top s bits of the rank's position.
    BlockSet window(int rank, int s) const {
        const Block n = width(s), lo = positions_[static_cast<std::size_t>(rank)] / n * n;
        return BlockSet::range(lo, lo + n);
    }
    std::vector<HalvingLine> halving_;
    std::vector<Block> positions_;
};

}  // namespace

std::optional<Windows> windows(const Shape& shape, Lines lines, int first) {
    std::vector<HalvingLine> halvings;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        auto h = halving(*lines[d], shape[d]);
        if (!h) return {};
        halvings.push_back(std::move(*h));
    }
    const auto made = std::make_shared<Halves>(shape, std::move(lines), std::move(halvings), first);
    return Windows{made, made->positions()};
}

SchedulePtr butterfly(const Shape& shape, const Lines& lines, int first) {
    if (const auto w = windows(shape, lines, first)) return w->schedule;
    return reduce_scatter(shape, lines, Turns::step_by_step, first);
}

}  // namespace hopbine::torus
