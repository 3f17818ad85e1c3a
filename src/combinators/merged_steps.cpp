#include "combinators/merged_steps.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>

#include "schedule/integers.hpp"

namespace hopbine {

namespace {

class MergedSteps : public Schedule {
public:
    MergedSteps(SchedulePtr inner, int p, int many)
        : Schedule(traits_of(inner->traits())),
          inner_(std::move(inner)),
          p_(p),
          many_(many),
          period_(traits().period > 0 && p % traits().period == 0 ? traits().period : p) {}
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

protected:
    void count(int rank, int s, MoveSizes& out) const override {
        if (period_ == p_) return Schedule::count(rank, s, out);
        std::call_once(counted_, [this] { count_equivalents(); });
        const int like = rank % period_;
        const std::size_t before = out.size();
        for (MoveSize m : sizes_[static_cast<std::size_t>(s * period_ + like)]) {
            m.peer = mod(m.peer + rank - like, p_);
            out.push_back(m);
        }
        std::sort(out.begin() + static_cast<std::ptrdiff_t>(before), out.end(),
                  [](const MoveSize& a, const MoveSize& b) {
                      return std::tuple(a.direction, a.peer) < std::tuple(b.direction, b.peer);
                  });
    }

private:
    /// Counts for one rank of each class: members of a schedule around this one need not be
    /// equivalent any more.
    void count_equivalents() const {
        for (int s = 0; s < steps(); ++s)
            for (int r = 0; r < period_; ++r) Schedule::count(r, s, sizes_.emplace_back());
    }
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
            const BlockSet gone = blocks.common(m.blocks);
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
             [&](int t, const Move& m) { back(m.peer, begin, t, blocks.common(m.blocks), from); });
    }

    SchedulePtr inner_;
    int p_, many_;
    int period_;  ///< number of ranks that are not equivalent
    mutable std::once_flag counted_;
    mutable std::vector<MoveSizes> sizes_;  ///< [step][rank below period_]
};

}  // namespace

SchedulePtr merged_steps(SchedulePtr inner, int p, int many) {
    return many == 1 ? inner : std::make_shared<MergedSteps>(std::move(inner), p, many);
}

}  // namespace hopbine
