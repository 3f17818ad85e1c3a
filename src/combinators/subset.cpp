#include "combinators/subset.hpp"

#include <algorithm>

namespace hopbine {

namespace {

class SideBySide : public Schedule {
public:
    SideBySide(std::vector<Subset> subsets, int p)
        : Schedule(traits_of(subsets)),
          subsets_(std::move(subsets)),
          team_(static_cast<std::size_t>(p), -1),
          plays_(static_cast<std::size_t>(p), -1) {
        for (std::size_t t = 0; t < subsets_.size(); ++t) {
            steps_ = std::max(steps_, subsets_[t].schedule->steps());
            for (std::size_t v = 0; v < subsets_[t].members.size(); ++v) {
                const auto rank = static_cast<std::size_t>(subsets_[t].members[v]);
                team_[rank] = static_cast<int>(t);
                plays_[rank] = static_cast<int>(v);
            }
        }
    }
    int steps() const override { return steps_; }
    void moves(int rank, int s, Step& out) const override {
        const Subset* const subset = busy(rank, s);
        if (!subset) return;
        const std::size_t before = out.size();
        subset->schedule->moves(plays_[static_cast<std::size_t>(rank)], s, out);
        for (std::size_t i = before; i < out.size(); ++i) {
            out[i].peer = subset->members[static_cast<std::size_t>(out[i].peer)];
            if (subset->blocks) out[i].blocks = subset->blocks.map(out[i].blocks);
        }
    }

protected:
    void count(int rank, int s, MoveSizes& out) const override {
        const Subset* const subset = busy(rank, s);
        if (!subset) return;
        const int v = plays_[static_cast<std::size_t>(rank)];
        const BlockMap& blocks = subset->blocks;
        if (blocks && blocks.each == 0) {
            Step inner;
            subset->schedule->moves(v, s, inner);
            for (const Move& m : inner)
                out.push_back({m.direction, m.op, subset->members[static_cast<std::size_t>(m.peer)],
                               blocks.size(m.blocks)});
            return;
        }
        const std::size_t before = out.size();
        subset->schedule->sizes(v, s, Wire::packed, out);
        renumber(*subset, out, before);
    }

    bool count_all(int rank, MoveSizes& out) const override {
        const int t = team_[static_cast<std::size_t>(rank)];
        if (t < 0) return true;
        const Subset& subset = subsets_[static_cast<std::size_t>(t)];
        const BlockMap& blocks = subset.blocks;
        const std::size_t before = out.size();
        if ((blocks && blocks.each == 0) ||
            !subset.schedule->totals(plays_[static_cast<std::size_t>(rank)], out))
            return false;
        renumber(subset, out, before);
        return true;
    }

private:
    /// Turns sizes of a subset's schedule into those of all ranks.
    static void renumber(const Subset& subset, MoveSizes& all, std::size_t from) {
        for (std::size_t i = from; i < all.size(); ++i) {
            all[i].peer = subset.members[static_cast<std::size_t>(all[i].peer)];
            if (subset.blocks) all[i].blocks *= subset.blocks.each;
        }
    }
    /// The subset of a rank; null: it is idle in step s.
    const Subset* busy(int rank, int s) const {
        const int t = team_[static_cast<std::size_t>(rank)];
        if (t < 0) return nullptr;
        const Subset& subset = subsets_[static_cast<std::size_t>(t)];
        return s < subset.schedule->steps() ? &subset : nullptr;
    }
    static Traits traits_of(const std::vector<Subset>& subsets) {
        if (subsets.empty()) return {};
        std::vector<SchedulePtr> all;
        for (const Subset& t : subsets) {
            if (t.blocks) require_whole("side_by_side with blocks", t.schedule->traits());
            all.push_back(t.schedule);
        }
        Traits out = common_traits("side_by_side", all);
        out.period = 0;
        out.mirrored = false;
        out.barriers = barriers_of_any(std::move(all));
        return out;
    }
    std::vector<Subset> subsets_;
    std::vector<int> team_, plays_;
    int steps_ = 0;
};

}  // namespace

SchedulePtr side_by_side(std::vector<Subset> subsets, int p) {
    return std::make_shared<SideBySide>(std::move(subsets), p);
}

SchedulePtr on_subset(SchedulePtr inner, std::vector<int> members, int p) {
    return side_by_side({{std::move(inner), std::move(members)}}, p);
}

}  // namespace hopbine
