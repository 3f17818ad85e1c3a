#include "combinators/direct_last.hpp"

namespace hopbine {

namespace {

class DirectLast : public Schedule {
public:
    using Blocks = std::function<BlockSet(int)>;
    DirectLast(SchedulePtr inner, int p, Blocks to_last, Blocks from_last, Op op)
        : Schedule(traits_of(inner->traits())),
          inner_(std::move(inner)),
          last_(p - 1),
          to_(std::move(to_last)),
          from_(std::move(from_last)),
          op_(op) {}
    int steps() const override { return inner_->steps(); }
    void moves(int rank, int s, Step& out) const override {
        if (rank != last_) {
            inner_->moves(rank, s, out);
            if (rank < served(s) || rank >= served(s + 1)) return;
            out.push_back({Direction::send, op_, last_, to_(rank)});
            out.push_back({Direction::recv, op_, last_, from_(rank)});
            return;
        }
        for (int r = served(s); r < served(s + 1); ++r) {
            out.push_back({Direction::send, op_, r, from_(r)});
            out.push_back({Direction::recv, op_, r, to_(r)});
        }
    }

protected:
    void count(int rank, int s, MoveSizes& out) const override {
        if (rank == last_) return Schedule::count(rank, s, out);
        inner_->sizes(rank, s, out);
        if (rank < served(s) || rank >= served(s + 1)) return;
        out.push_back({Direction::send, op_, last_, to_(rank).size()});
        out.push_back({Direction::recv, op_, last_, from_(rank).size()});
    }

private:
    static Traits traits_of(const Traits& inner) {
        require_whole("direct_last", inner);
        return {.wire = inner.wire};
    }
    /// Number of ranks served before step s, which are the lowest ones.
    int served(int s) const { return s >= steps() ? last_ : last_ - (last_ >> s); }
    SchedulePtr inner_;
    int last_;
    Blocks to_, from_;
    Op op_;
};

}  // namespace

SchedulePtr direct_last(SchedulePtr inner, int p, std::function<BlockSet(int)> to_last,
                        std::function<BlockSet(int)> from_last, Op op) {
    return std::make_shared<DirectLast>(std::move(inner), p, std::move(to_last),
                                        std::move(from_last), op);
}

}  // namespace hopbine
