#include "core/combinators.hpp"

#include <numeric>

#include "core/numbers.hpp"

namespace hopbine {

namespace {

/// Hands everything on to another schedule; combinators override what they change.
class Around : public Schedule {
public:
    explicit Around(SchedulePtr inner) : inner_(std::move(inner)) {}
    int steps() const override { return inner_->steps(); }
    void moves(int rank, int s, Step& out) const override { inner_->moves(rank, s, out); }
    Wire wire() const override { return inner_->wire(); }
    Block position(Block b) const override { return inner_->position(b); }
    bool permutes() const override { return inner_->permutes(); }
    int parts() const override { return inner_->parts(); }
    int pattern(int s) const override { return inner_->pattern(s); }
    int period() const override { return inner_->period(); }
    int channels() const override { return inner_->channels(); }
    bool together(int s) const override { return inner_->together(s); }

protected:
    SchedulePtr inner_;
};

class Sequence : public Around {
public:
    explicit Sequence(std::vector<SchedulePtr> parts)
        : Around(parts.front()), parts_(std::move(parts)) {}
    int steps() const override {
        int n = 0;
        for (const auto& part : parts_) n += part->steps();
        return n;
    }
    void moves(int rank, int s, Step& out) const override {
        const auto [part, before] = at(s);
        part->moves(rank, s - before, out);
    }
    bool together(int s) const override {
        const auto [part, before] = at(s);
        return part->together(s - before);
    }
    int pattern(int s) const override {
        const auto [part, before] = at(s);
        return before + part->pattern(s - before);
    }
    int period() const override {
        int all = 1;
        for (const auto& part : parts_) {
            if (part->period() == 0) return 0;
            all = std::lcm(all, part->period());
        }
        return all;
    }

private:
    /// The part that has step s, and the steps before it.
    std::pair<const Schedule*, int> at(int s) const {
        std::size_t i = 0;
        int before = 0;
        while (s - before >= parts_[i]->steps()) before += parts_[i++]->steps();
        return {parts_[i].get(), before};
    }
    std::vector<SchedulePtr> parts_;
};

class OneMessage : public Schedule {
public:
    OneMessage(int from, int to, BlockSet blocks)
        : from_(from), to_(to), blocks_(std::move(blocks)) {}
    int steps() const override { return 1; }
    void moves(int rank, int, Step& out) const override {
        if (rank == from_) out.push_back({Way::send, Mode::copy, to_, blocks_});
        if (rank == to_) out.push_back({Way::recv, Mode::copy, from_, blocks_});
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
        out.push_back({Way::send, Mode::copy, static_cast<int>(block), BlockSet::single(block)});
        out.push_back(
            {Way::recv, Mode::copy, holder_[static_cast<std::size_t>(r)], BlockSet::single(r)});
    }

private:
    std::vector<Block> held_;
    std::vector<int> holder_;
};

class Reversed : public Around {
public:
    Reversed(SchedulePtr inner, Mode mode) : Around(std::move(inner)), mode_(mode) {}
    void moves(int rank, int s, Step& out) const override {
        const std::size_t before = out.size();
        inner_->moves(rank, inner_->steps() - 1 - s, out);
        for (std::size_t i = before; i < out.size(); ++i) {
            out[i].way = out[i].way == Way::send ? Way::recv : Way::send;
            out[i].mode = mode_;
        }
    }
    bool together(int s) const override { return s > 0 && inner_->together(inner_->steps() - s); }
    int pattern(int s) const override {
        const int last = inner_->steps() - 1;
        return last - inner_->pattern(last - s);
    }

private:
    Mode mode_;
};

class Rotated : public Around {
public:
    Rotated(SchedulePtr inner, int p, int by, bool blocks)
        : Around(std::move(inner)), p_(p), by_(by), blocks_(blocks) {}
    void moves(int rank, int s, Step& out) const override {
        const std::size_t before = out.size();
        inner_->moves(mod(rank - by_, p_), s, out);
        for (std::size_t i = before; i < out.size(); ++i) {
            out[i].peer = mod(out[i].peer + by_, p_);
            if (blocks_) out[i].blocks = out[i].blocks.rotated(by_, p_);
        }
    }

private:
    int p_, by_;
    bool blocks_;
};

class Folded : public Around {
public:
    Folded(SchedulePtr inner, int p, std::function<BlockSet(int)> result)
        : Around(std::move(inner)),
          p_(p),
          extra_(p - (1 << floor_log2(p))),
          result_(std::move(result)) {}
    int steps() const override { return inner_->steps() + 2; }
    void moves(int rank, int s, Step& out) const override {
        const bool paired = rank < 2 * extra_, outside = paired && rank % 2 == 0;
        if (s == 0 || s == steps() - 1) {
            if (!paired) return;
            const bool before = s == 0;
            out.push_back({outside == before ? Way::send : Way::recv,
                           before ? Mode::reduce : Mode::copy, rank ^ 1,
                           before || !result_ ? BlockSet::range(0, p_) : result_(rank & ~1)});
        } else if (!outside) {
            const std::size_t first = out.size();
            inner_->moves(paired ? rank / 2 : rank - extra_, s - 1, out);
            for (std::size_t i = first; i < out.size(); ++i) {
                int& q = out[i].peer;
                q = q < extra_ ? 2 * q + 1 : q + extra_;
            }
        }
    }
    bool together(int s) const override {
        return s > 0 && s <= inner_->steps() && inner_->together(s - 1);
    }
    int pattern(int s) const override {
        return s == 0 || s == steps() - 1 ? s : inner_->pattern(s - 1) + 1;
    }
    int period() const override { return 0; }

private:
    int p_, extra_;
    std::function<BlockSet(int)> result_;
};

class Skipping : public Around {
public:
    Skipping(SchedulePtr inner, std::function<BlockSet(int)> held)
        : Around(std::move(inner)), held_(std::move(held)) {}
    void moves(int rank, int s, Step& out) const override {
        const std::size_t before = out.size();
        inner_->moves(rank, s, out);
        std::size_t kept = before;
        for (std::size_t i = before; i < out.size(); ++i) {
            BlockSet left =
                out[i].blocks.minus(held_(out[i].way == Way::send ? out[i].peer : rank));
            if (left.empty()) continue;
            out[i].blocks = std::move(left);
            if (kept != i) out[kept] = std::move(out[i]);
            ++kept;
        }
        out.erase(out.begin() + static_cast<std::ptrdiff_t>(kept), out.end());
    }
    int pattern(int s) const override { return s; }
    int period() const override { return 0; }

private:
    std::function<BlockSet(int)> held_;
};

class Relabelled : public Around {
public:
    Relabelled(SchedulePtr inner, Collective c, std::vector<int> order)
        : Around(std::move(inner)),
          order_(std::move(order)),
          virtual_(order_.size()),
          pairs_(pairs(c)),
          follow_(pairs_ || c == Collective::gather || c == Collective::scatter ||
                  c == Collective::allgather || c == Collective::reduce_scatter) {
        for (std::size_t v = 0; v < order_.size(); ++v)
            virtual_[static_cast<std::size_t>(order_[v])] = static_cast<int>(v);
    }
    void moves(int rank, int s, Step& out) const override {
        const std::size_t before = out.size();
        inner_->moves(virtual_[static_cast<std::size_t>(rank)], s, out);
        for (std::size_t i = before; i < out.size(); ++i) {
            out[i].peer = order_[static_cast<std::size_t>(out[i].peer)];
            if (follow_) out[i].blocks = renamed(out[i].blocks);
        }
    }
    Block position(Block b) const override {
        return follow_ && !pairs_ ? inner_->position(virtual_[static_cast<std::size_t>(b)])
                                  : inner_->position(b);
    }
    int period() const override { return 0; }

private:
    BlockSet renamed(const BlockSet& blocks) const {
        const auto p = static_cast<Block>(order_.size());
        std::vector<Block> out;
        blocks.each([&](Block part) {
            const Block b = part / parts(), owner = order_[static_cast<std::size_t>(b % p)];
            out.push_back((pairs_ ? order_[static_cast<std::size_t>(b / p)] * p + owner : owner) *
                              parts() +
                          part % parts());
        });
        return BlockSet::of(std::move(out));
    }
    std::vector<int> order_, virtual_;
    bool pairs_, follow_;
};

class Wired : public Around {
public:
    Wired(SchedulePtr inner, Wire wire) : Around(std::move(inner)), wire_(wire) {}
    Wire wire() const override { return wire_; }

private:
    Wire wire_;
};

class Alike : public Around {
public:
    Alike(SchedulePtr inner, int period, std::function<int(int)> pattern)
        : Around(std::move(inner)), period_(period), pattern_(std::move(pattern)) {}
    int pattern(int s) const override { return pattern_(s); }
    int period() const override { return period_; }

private:
    int period_;
    std::function<int(int)> pattern_;
};

class Permuted : public Around {
public:
    Permuted(SchedulePtr inner, std::vector<Block> positions)
        : Around(std::move(inner)), positions_(std::move(positions)) {}
    Block position(Block b) const override { return positions_[static_cast<std::size_t>(b)]; }
    bool permutes() const override { return true; }

private:
    std::vector<Block> positions_;
};

}  // namespace

SchedulePtr sequence(std::vector<SchedulePtr> parts) {
    return std::make_shared<Sequence>(std::move(parts));
}

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

SchedulePtr reversed(SchedulePtr inner, Mode mode) {
    return std::make_shared<Reversed>(std::move(inner), mode);
}

SchedulePtr rotated(SchedulePtr inner, int p, int by, bool blocks) {
    if (by % p == 0) return inner;
    return std::make_shared<Rotated>(std::move(inner), p, by, blocks);
}

SchedulePtr folded(SchedulePtr inner, int p, std::function<BlockSet(int)> result) {
    if (power_of_two(p)) return inner;
    return std::make_shared<Folded>(std::move(inner), p, std::move(result));
}

SchedulePtr skipping(SchedulePtr inner, std::function<BlockSet(int)> held) {
    return std::make_shared<Skipping>(std::move(inner), std::move(held));
}

SchedulePtr relabelled(SchedulePtr inner, Collective collective, std::vector<int> order) {
    return std::make_shared<Relabelled>(std::move(inner), collective, std::move(order));
}

SchedulePtr wired(SchedulePtr inner, Wire wire) {
    return std::make_shared<Wired>(std::move(inner), wire);
}

SchedulePtr per_run(SchedulePtr inner) { return wired(std::move(inner), Wire::per_run); }

SchedulePtr alike(SchedulePtr inner, int period, std::function<int(int)> pattern) {
    return std::make_shared<Alike>(std::move(inner), period, std::move(pattern));
}

SchedulePtr permuted(SchedulePtr inner, std::vector<Block> positions) {
    return std::make_shared<Permuted>(std::move(inner), std::move(positions));
}

}  // namespace hopbine
