#include "combinators/combinators.hpp"

namespace hopbine {

namespace {

class BlockByBlock : public Schedule {
public:
    explicit BlockByBlock(SchedulePtr inner)
        : Schedule(traits_of(inner->traits())), inner_(std::move(inner)) {}
    int steps() const override { return inner_->steps(); }
    void moves(int rank, int s, Step& out) const override {
        Step whole;
        inner_->moves(rank, s, whole);
        for (const Move& m : whole)
            m.blocks.each([&](Block b) {
                out.push_back({m.direction, m.op, m.peer, BlockSet::range(b, b + 1), m.channel});
            });
    }

protected:
    void count(int rank, int s, MoveSizes& out) const override {
        MoveSizes whole;
        inner_->sizes(rank, s, Wire::packed, whole);
        for (const MoveSize& m : whole)
            out.insert(out.end(), static_cast<std::size_t>(m.blocks),
                       {m.direction, m.op, m.peer, 1});
    }
    void count_runs(int rank, int s, MoveSizes& out) const override { count(rank, s, out); }

private:
    static Traits traits_of(Traits t) {
        require_whole("block_by_block", t);
        t.repeats = {};  // blocks that pass the last one change the order of the moves
        return t;
    }
    SchedulePtr inner_;
};

}  // namespace

SchedulePtr block_by_block(SchedulePtr inner) {
    return std::make_shared<BlockByBlock>(std::move(inner));
}

}  // namespace hopbine
