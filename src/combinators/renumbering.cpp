// Combinators that renumber ranks, and blocks that belong to ranks.
#include "combinators/combinators.hpp"
#include "schedule/integers.hpp"

namespace hopbine {

namespace {

/// Layout in which block b takes the position of block `inner_of(b)`.
template <class F>
Layout follow(const Layout& inner, F&& inner_of) {
    if (!inner) return nullptr;
    std::vector<Block> out(inner->size());
    for (std::size_t b = 0; b < out.size(); ++b)
        out[b] = (*inner)[static_cast<std::size_t>(inner_of(static_cast<Block>(b)))];
    return std::make_shared<const std::vector<Block>>(std::move(out));
}

/// Requires the parts of a block to lie together, so that blocks can be renumbered.
void require_parts_with_blocks(const char* combinator, const Traits& t) {
    if (t.parts > 1 && t.parts_together)
        throw Error(std::string(combinator) +
                    ": blocks cannot be renumbered where the parts of a channel lie together");
}

class Rotated : public Schedule {
public:
    Rotated(SchedulePtr inner, int p, int by, bool blocks)
        : Schedule(traits_of(inner->traits(), p, by, blocks)),
          inner_(std::move(inner)),
          p_(p),
          by_(by),
          blocks_(blocks) {}
    int steps() const override { return inner_->steps(); }
    void moves(int rank, int s, Step& out) const override {
        const Block parts = traits().parts;
        const std::size_t before = out.size();
        inner_->moves(mod(rank - by_, p_), s, out);
        for (std::size_t i = before; i < out.size(); ++i) {
            out[i].peer = mod(out[i].peer + by_, p_);
            if (blocks_) out[i].blocks = out[i].blocks.rotated(by_ * parts, p_ * parts);
        }
    }
    void common(int rank, int s, const BlockSet& some,
                std::vector<std::int64_t>& out) const override {
        const Block parts = traits().parts;
        inner_->common(mod(rank - by_, p_), s,
                       blocks_ ? some.rotated(-by_ * parts, p_ * parts) : some, out);
    }

protected:
    void count(int rank, int s, MoveSizes& out) const override {
        const std::size_t before = out.size();
        inner_->sizes(mod(rank - by_, p_), s, Wire::packed, out);
        move_peers(out, before);
    }
    bool count_all(int rank, MoveSizes& out) const override {
        const std::size_t before = out.size();
        const bool known = inner_->totals(mod(rank - by_, p_), out);
        move_peers(out, before);
        return known;
    }

private:
    void move_peers(MoveSizes& all, std::size_t from) const {
        for (std::size_t i = from; i < all.size(); ++i) all[i].peer = mod(all[i].peer + by_, p_);
    }
    static Traits traits_of(const Traits& t, int p, int by, bool blocks) {
        if (blocks) require_parts_with_blocks("rotated", t);
        return {
            .parts = t.parts,
            .parts_together = t.parts_together,
            .channels = t.channels,
            .wire = t.wire,
            .layout = blocks ? follow(t.layout, [=](Block b) { return mod(b - by, p); }) : t.layout,
            .copies_in_flight = t.copies_in_flight,
            .period = t.period,
            .mirrored = false,
            .classes = t.classes,
            .repeats = t.repeats,
            .barriers = t.barriers};
    }
    SchedulePtr inner_;
    int p_, by_;
    bool blocks_;
};

class Relabelled : public Schedule {
public:
    Relabelled(SchedulePtr inner, Collective c, std::vector<int> order)
        : Schedule(traits_of(inner->traits(), c, order)),
          inner_(std::move(inner)),
          order_(std::move(order)),
          virtual_(inverse(order_)),
          pairs_(pairs(c)),
          follow_(spec(c).blocks_of_ranks()) {}
    int steps() const override { return inner_->steps(); }
    void moves(int rank, int s, Step& out) const override {
        const std::size_t before = out.size();
        inner_->moves(virtual_[static_cast<std::size_t>(rank)], s, out);
        for (std::size_t i = before; i < out.size(); ++i) {
            out[i].peer = order_[static_cast<std::size_t>(out[i].peer)];
            if (follow_) out[i].blocks = renamed(out[i].blocks);
        }
    }

protected:
    void count(int rank, int s, MoveSizes& out) const override {
        const std::size_t before = out.size();
        inner_->sizes(virtual_[static_cast<std::size_t>(rank)], s, Wire::packed, out);
        move_peers(out, before);
    }
    bool count_all(int rank, MoveSizes& out) const override {
        const std::size_t before = out.size();
        const bool known = inner_->totals(virtual_[static_cast<std::size_t>(rank)], out);
        move_peers(out, before);
        return known;
    }

private:
    void move_peers(MoveSizes& all, std::size_t from) const {
        for (std::size_t i = from; i < all.size(); ++i)
            all[i].peer = order_[static_cast<std::size_t>(all[i].peer)];
    }
    static std::vector<int> inverse(const std::vector<int>& order) {
        std::vector<int> out(order.size());
        for (std::size_t v = 0; v < order.size(); ++v)
            out[static_cast<std::size_t>(order[v])] = static_cast<int>(v);
        return out;
    }
    static Traits traits_of(const Traits& t, Collective c, const std::vector<int>& order) {
        const bool follows = spec(c).blocks_of_ranks(), moved = follows && !pairs(c);
        if (follows) require_parts_with_blocks("relabelled", t);
        const std::vector<int> back = inverse(order);
        return {.parts = t.parts,
                .parts_together = t.parts_together,
                .channels = t.channels,
                .wire = t.wire,
                .layout = moved ? follow(t.layout,
                                         [&](Block b) { return back[static_cast<std::size_t>(b)]; })
                                : t.layout,
                .copies_in_flight = t.copies_in_flight,
                .period = 0,
                .mirrored = false,
                .complete = t.complete,
                .classes = t.classes,
                .repeats = follows ? nullptr : t.repeats,
                .barriers = t.barriers};
    }
    BlockSet renamed(const BlockSet& blocks) const {
        const Block p = static_cast<Block>(order_.size()), parts = traits().parts;
        std::vector<Block> out;
        blocks.each([&](Block part) {
            const Block b = part / parts, owner = order_[static_cast<std::size_t>(b % p)];
            out.push_back((pairs_ ? order_[static_cast<std::size_t>(b / p)] * p + owner : owner) *
                              parts +
                          part % parts);
        });
        return BlockSet::of(std::move(out));
    }
    SchedulePtr inner_;
    std::vector<int> order_, virtual_;
    bool pairs_, follow_;
};

class RotatedWithin : public Schedule {
public:
    RotatedWithin(SchedulePtr inner, std::shared_ptr<const Units> units, int by)
        : Schedule(traits_of(inner->traits())),
          inner_(std::move(inner)),
          units_(std::move(units)),
          by_(by) {}
    int steps() const override { return inner_->steps(); }
    void moves(int rank, int s, Step& out) const override {
        const std::size_t before = out.size();
        inner_->moves(next(rank, -by_), s, out);
        move_peers(out, before);
    }

protected:
    void count(int rank, int s, MoveSizes& out) const override {
        const std::size_t before = out.size();
        inner_->sizes(next(rank, -by_), s, Wire::packed, out);
        move_peers(out, before);
    }

private:
    template <class Moves>
    void move_peers(Moves& all, std::size_t from) const {
        for (std::size_t i = from; i < all.size(); ++i) all[i].peer = next(all[i].peer, by_);
    }
    int next(int rank, int by) const {
        const int u = units_->of(rank);
        return units_->members(
            u)[static_cast<std::size_t>(mod(units_->index(rank) + by, units_->size(u)))];
    }
    static Traits traits_of(Traits t) {
        t.period = 0;
        t.mirrored = false;
        return t;
    }
    SchedulePtr inner_;
    std::shared_ptr<const Units> units_;
    int by_;
};

}  // namespace

SchedulePtr rotated_within(SchedulePtr inner, std::shared_ptr<const Units> units, int by) {
    return std::make_shared<RotatedWithin>(std::move(inner), std::move(units), by);
}

SchedulePtr rotated(SchedulePtr inner, int p, int by, bool blocks) {
    if (by % p == 0) return inner;
    return std::make_shared<Rotated>(std::move(inner), p, by, blocks);
}

SchedulePtr relabelled(SchedulePtr inner, Collective collective, std::vector<int> order) {
    return std::make_shared<Relabelled>(std::move(inner), collective, std::move(order));
}

}  // namespace hopbine
