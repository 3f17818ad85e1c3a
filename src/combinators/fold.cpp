// Combinators that add or leave out moves: folding of ranks, skipping of blocks already received.
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
        const bool paired = rank < 2 * extra_, outside = paired && rank % 2 == 0;
        if (s == 0 || s == steps() - 1) {
            if (!paired) return;
            const bool before = s == 0;
            const Block all = Block{p_} * traits().parts;
            out.push_back({outside == before ? Direction::send : Direction::recv,
                           before ? Op::reduce : Op::copy, rank ^ 1,
                           before || !result_ ? BlockSet::range(0, all) : result_(rank & ~1)});
        } else if (!outside) {
            const std::size_t first = out.size();
            inner_->moves(paired ? rank / 2 : rank - extra_, s - 1, out);
            for (std::size_t i = first; i < out.size(); ++i) {
                int& q = out[i].peer;
                q = q < extra_ ? 2 * q + 1 : q + extra_;
            }
        }
    }

private:
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

private:
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
