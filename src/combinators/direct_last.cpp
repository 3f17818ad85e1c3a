#include "combinators/direct_last.hpp"

namespace hopbine {

namespace {

class DirectLast : public Schedule {
public:
    using Blocks = std::function<BlockSet(int)>;
    DirectLast(SchedulePtr inner, int p, Blocks to_last, Blocks from_last, Op op, int halvings)
        : Schedule(traits_of(inner->traits())),
          inner_(std::move(inner)),
          last_(p - 1),
          to_(std::move(to_last)),
          from_(std::move(from_last)),
          op_(op),
          halvings_(halvings) {}
    int steps() const override { return inner_->steps(); }
    void moves(int rank, int s, Step& out) const override {
        if (rank != last_) inner_->moves(rank, s, out);
        exchange(rank, s, out);
    }
    void common(int rank, int s, const BlockSet& some,
                std::vector<std::int64_t>& out) const override {
        if (rank != last_) inner_->common(rank, s, some, out);
        Step direct;
        exchange(rank, s, direct);
        for (const Move& m : direct) out.push_back(m.blocks.common(some).size());
    }

protected:
    void count(int rank, int s, MoveSizes& out) const override {
        count(rank, s, Wire::packed, out);
    }
    void count_runs(int rank, int s, MoveSizes& out) const override {
        count(rank, s, Wire::per_run, out);
    }

private:
    /// Appends what a rank exchanges with the last one, and the last one with all others.
    void exchange(int rank, int s, Step& out) const {
        const int first = served(s), end = served(s + 1);
        if (rank != last_) {
            if (rank < first || rank >= end) return;
            out.push_back({Direction::send, op_, last_, to_(rank)});
            out.push_back({Direction::recv, op_, last_, from_(rank)});
            return;
        }
        for (int r = first; r < end; ++r) {
            out.push_back({Direction::send, op_, r, from_(r)});
            out.push_back({Direction::recv, op_, r, to_(r)});
        }
    }
    void count(int rank, int s, Wire wire, MoveSizes& out) const {
        if (rank != last_) inner_->sizes(rank, s, wire, out);
        Step direct;
        exchange(rank, s, direct);
        for (const Move& m : direct)
            out.push_back({m.direction, m.op, m.peer, m.blocks.size(), messages_of(m, wire)});
    }
    static Traits traits_of(const Traits& inner) {
        require_whole("direct_last", inner);
        return {.wire = inner.wire};
    }
    /// Number of ranks served before step s, which are the lowest ones.
    int served(int s) const { return s >= steps() ? last_ : last_ - (last_ >> (s * halvings_)); }
    SchedulePtr inner_;
    int last_;
    Blocks to_, from_;
    Op op_;
    int halvings_;
};

}  // namespace

SchedulePtr direct_last(SchedulePtr inner, int p, std::function<BlockSet(int)> to_last,
                        std::function<BlockSet(int)> from_last, Op op, int halvings) {
    return std::make_shared<DirectLast>(std::move(inner), p, std::move(to_last),
                                        std::move(from_last), op, halvings);
}

}  // namespace hopbine
