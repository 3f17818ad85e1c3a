// Combinators that add or leave out moves: folding of ranks, skipping of blocks already received.
#include <optional>

#include "combinators/combinators.hpp"
#include "schedule/integers.hpp"

namespace hopbine {

namespace {

class Folded : public Schedule {
public:
    Folded(SchedulePtr inner, int p, std::function<BlockSet(int)> result)
        : Schedule(traits_of(inner)),
          inner_(std::move(inner)),
          p_(p),
          extra_(p - (1 << floor_log2(p))),
          result_(std::move(result)) {}
    int steps() const override { return inner_->steps() + 2; }
    void moves(int rank, int s, Step& out) const override {
        if (s == 0 || s == steps() - 1) {
            if (paired(rank)) out.push_back(in_pair(rank, s == 0));
        } else if (!outside(rank)) {
            const std::size_t first = out.size();
            inner_->moves(plays(rank), s - 1, out);
            move_peers(out, first);
        }
    }

protected:
    void count(int rank, int s, MoveSizes& out) const override {
        if (s == 0 || s == steps() - 1) {
            if (!paired(rank)) return;
            const Move m = in_pair(rank, s == 0);
            out.push_back({m.direction, m.op, m.peer, m.blocks.size()});
        } else if (!outside(rank)) {
            const std::size_t first = out.size();
            inner_->sizes(plays(rank), s - 1, Wire::packed, out);
            move_peers(out, first);
        }
    }

private:
    bool paired(int rank) const { return rank < 2 * extra_; }
    bool outside(int rank) const { return paired(rank) && rank % 2 == 0; }
    /// The number in `inner` of a rank that takes part.
    int plays(int rank) const { return paired(rank) ? rank / 2 : rank - extra_; }
    template <class Moves>
    void move_peers(Moves& all, std::size_t from) const {
        for (std::size_t i = from; i < all.size(); ++i) {
            int& q = all[i].peer;
            q = q < extra_ ? 2 * q + 1 : q + extra_;
        }
    }
    /// The message of a rank in its pair, before `inner` or after it.
    Move in_pair(int rank, bool before) const {
        const Block all = Block{p_} * traits().parts;
        return {outside(rank) == before ? Direction::send : Direction::recv,
                before ? Op::reduce : Op::copy, rank ^ 1,
                before || !result_ ? BlockSet::range(0, all) : result_(rank & ~1)};
    }
    static Traits traits_of(const SchedulePtr& inner) {
        const Traits& t = inner->traits();
        if (t.channels != 1)  // the first message carries the parts of all channels
            throw Error("folded: the schedule has " + std::to_string(t.channels) +
                        " channels; allowed is 1");
        const int last = inner->steps() + 1;
        return {.parts = t.parts,
                .parts_together = t.parts_together,
                .channels = t.channels,
                .wire = t.wire,
                .layout = t.layout,
                .copies_in_flight = t.copies_in_flight,
                .period = 0,
                .mirrored = false,
                .classes =
                    [inner, last](int s) {
                        return s == 0 || s == last ? s : inner->traits().step_class(s - 1) + 1;
                    },
                .barriers = {}};
    }
    SchedulePtr inner_;
    int p_, extra_;
    std::function<BlockSet(int)> result_;
};

class Skipping : public Schedule {
public:
    Skipping(SchedulePtr inner, std::function<BlockSet(int)> held)
        : Schedule(traits_of(inner->traits())), inner_(std::move(inner)), held_(std::move(held)) {}
    int steps() const override { return inner_->steps(); }
    void moves(int rank, int s, Step& out) const override {
        const std::size_t before = out.size();
        inner_->moves(rank, s, out);
        std::size_t kept = before;
        for (std::size_t i = before; i < out.size(); ++i) {
            BlockSet left = out[i].blocks.minus(
                held_(out[i].direction == Direction::send ? out[i].peer : rank));
            if (left.empty()) continue;
            out[i].blocks = std::move(left);
            if (kept != i) out[kept] = std::move(out[i]);
            ++kept;
        }
        out.erase(out.begin() + static_cast<std::ptrdiff_t>(kept), out.end());
    }
    void common(int rank, int s, const BlockSet& some,
                std::vector<std::int64_t>& out) const override {
        MoveSizes all;
        inner_->sizes(rank, s, Wire::packed, all);
        const Numbers again = in_common(rank, s, all, held_),
                      of_these =
                          in_common(rank, s, all, [&](int to) { return held_(to).common(some); });
        const Numbers numbers = numbers_in_common(rank, s, some);
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i].blocks > again[i]) out.push_back(numbers[i] - of_these[i]);
    }

protected:
    void count(int rank, int s, MoveSizes& out) const override {
        MoveSizes all;
        inner_->sizes(rank, s, Wire::packed, all);
        const Numbers again = in_common(rank, s, all, held_);
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i].blocks -= again[i];
            if (all[i].blocks > 0) out.push_back(all[i]);
        }
    }

private:
    using Numbers = std::vector<std::int64_t>;
    /// The number of blocks that each of the moves `all` of `inner` has in common with
    /// some(receiver).
    Numbers in_common(int rank, int s, const MoveSizes& all,
                      const std::function<BlockSet(int)>& some) const {
        Numbers out = numbers_in_common(rank, s, some(rank));
        const bool many = static_cast<int>(all.size()) > steps();
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i].direction == Direction::recv) continue;
            const BlockSet there = some(all[i].peer);
            const auto told = many ? received_in_common(all[i].peer, rank, s, there) : std::nullopt;
            out[i] = told ? *told : numbers_in_common(rank, s, there)[i];
        }
        return out;
    }
    Numbers numbers_in_common(int rank, int s, const BlockSet& some) const {
        Numbers out;
        inner_->common(rank, s, some, out);
        return out;
    }
    /// Number of blocks in common with the one message that a rank receives from another, who sends
    /// to many and need not look at all its messages for each. Nothing if it receives several.
    std::optional<std::int64_t> received_in_common(int rank, int from, int s,
                                                   const BlockSet& some) const {
        MoveSizes all;
        inner_->sizes(rank, s, Wire::packed, all);
        const Numbers numbers = numbers_in_common(rank, s, some);
        std::optional<std::int64_t> out;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i].direction == Direction::send || all[i].peer != from) continue;
            if (out) return {};
            out = numbers[i];
        }
        return out;
    }
    static Traits traits_of(const Traits& t) {
        return {.parts = t.parts,
                .parts_together = t.parts_together,
                .channels = t.channels,
                .wire = t.wire,
                .layout = t.layout,
                .copies_in_flight = t.copies_in_flight,
                .period = 0,
                .mirrored = false,
                .classes = {},
                .barriers = t.barriers};
    }
    SchedulePtr inner_;
    std::function<BlockSet(int)> held_;
};

}  // namespace

SchedulePtr folded(SchedulePtr inner, int p, std::function<BlockSet(int)> result) {
    if (power_of_two(p)) return inner;
    return std::make_shared<Folded>(std::move(inner), p, std::move(result));
}

SchedulePtr skipping(SchedulePtr inner, std::function<BlockSet(int)> held) {
    return std::make_shared<Skipping>(std::move(inner), std::move(held));
}

}  // namespace hopbine
