#include "combinators/merged_steps.hpp"

#include <algorithm>
#include <map>

#include "schedule/integers.hpp"

namespace hopbine {

namespace {

BlockSet common(const BlockSet& a, const BlockSet& b) { return a.minus(a.minus(b)); }

class MergedSteps : public Schedule {
public:
    MergedSteps(SchedulePtr inner, int many)
        : Schedule(traits_of(inner->traits())), inner_(std::move(inner)), many_(many) {}
    int steps() const override { return ceil_div(inner_->steps(), many_); }

    void moves(int rank, int s, Step& out) const override {
        const int begin = s * many_, end = std::min(begin + many_, inner_->steps());
        Peers to, from;
        each(rank, begin, end, Direction::send,
             [&](int t, const Move& m) { onward(m.peer, t + 1, end, m.blocks, to); });
        BlockSet left;  // blocks that `inner` forwards in a later step: their contributions go to
                        // other ranks
        for (int t = end; t-- > begin;) {
            each(rank, t, t + 1, Direction::recv,
                 [&](int, const Move& m) { back(m.peer, begin, t, m.blocks.minus(left), from); });
            each(rank, t, t + 1, Direction::send,
                 [&](int, const Move& m) { left = left.plus(m.blocks); });
        }
        for (auto& [peer, blocks] : to)
            out.push_back({Direction::send, Op::reduce, peer, std::move(blocks)});
        for (auto& [peer, blocks] : from)
            out.push_back({Direction::recv, Op::reduce, peer, std::move(blocks)});
    }

private:
    static Traits traits_of(const Traits& inner) {
        require_whole("merged_steps", inner);
        return {.wire = inner.wire,
                .layout = inner.layout,
                .copies_in_flight = inner.copies_in_flight,
                .period = inner.period,
                .mirrored = inner.mirrored};
    }
    using Peers = std::map<int, BlockSet>;

    template <class F>
    void each(int rank, int begin, int end, Direction direction, F&& f) const {
        for (int t = begin; t < end; ++t) {
            Step moves;
            inner_->moves(rank, t, moves);
            for (const Move& m : moves)
                if (m.direction == direction) f(t, m);
        }
    }
    static void add(Peers& peers, int rank, const BlockSet& blocks) {
        if (!blocks.empty()) peers[rank] = peers[rank].plus(blocks);
    }
    /// Collects the ranks that have, before step `end`, the contributions at `rank` before `begin`.
    void onward(int rank, int begin, int end, BlockSet blocks, Peers& to) const {
        each(rank, begin, end, Direction::send, [&](int t, const Move& m) {
            const BlockSet gone = common(blocks, m.blocks);
            if (gone.empty()) return;
            onward(m.peer, t + 1, end, gone, to);
            blocks = blocks.minus(gone);
        });
        add(to, rank, blocks);
    }
    /// Collects the ranks that have, before step `begin`, what `rank` sends in step `end`. These
    /// are the rank itself, and those from which it received contributions.
    void back(int rank, int begin, int end, const BlockSet& blocks, Peers& from) const {
        if (blocks.empty()) return;
        add(from, rank, blocks);
        each(rank, begin, end, Direction::recv,
             [&](int t, const Move& m) { back(m.peer, begin, t, common(blocks, m.blocks), from); });
    }

    SchedulePtr inner_;
    int many_;
};

}  // namespace

SchedulePtr merged_steps(SchedulePtr inner, int many) {
    return many == 1 ? inner : std::make_shared<MergedSteps>(std::move(inner), many);
}

}  // namespace hopbine
