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
        const int t = team_[static_cast<std::size_t>(rank)];
        if (t < 0) return;
        const Subset& subset = subsets_[static_cast<std::size_t>(t)];
        if (s >= subset.schedule->steps()) return;
        const std::size_t before = out.size();
        subset.schedule->moves(plays_[static_cast<std::size_t>(rank)], s, out);
        for (std::size_t i = before; i < out.size(); ++i) {
            out[i].peer = subset.members[static_cast<std::size_t>(out[i].peer)];
            if (subset.blocks) out[i].blocks = subset.blocks(out[i].blocks);
        }
    }

private:
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
