#include "combinators/expand_units.hpp"

#include <algorithm>

namespace hopbine {

namespace {

class ExpandedUnits : public Schedule {
public:
    ExpandedUnits(SchedulePtr between, std::shared_ptr<const Units> units)
        : Schedule(traits_of(between->traits())),
          between_(std::move(between)),
          units_(std::move(units)) {}
    int steps() const override { return between_->steps(); }
    void moves(int rank, int s, Step& out) const override {
        Step coarse;
        between_->moves(units_->of(rank), s, coarse);
        for (const Move& m : coarse) expand(rank, m, out);
    }

private:
    static Traits traits_of(const Traits& between) {
        require_whole("expand_units", between);
        return {.wire = between.wire, .classes = between.classes};
    }
    void expand(int rank, const Move& m, Step& out) const {
        const int u = units_->of(rank), i = units_->index(rank);
        std::vector<std::pair<int, Block>> carried;  // peer and block
        m.blocks.each([&](Block block) {
            const int c = static_cast<int>(block);
            const auto [first, last] = units_->held(u, i, i + 1, c);
            for (int k = first; k < last; ++k) {
                const int owner = units_->members(c)[static_cast<std::size_t>(k)];
                carried.emplace_back(units_->holder(m.peer, owner), owner);
            }
        });
        std::sort(carried.begin(), carried.end());
        for (std::size_t a = 0; a < carried.size();) {
            std::vector<Block> blocks;
            const int other = carried[a].first;
            for (; a < carried.size() && carried[a].first == other; ++a)
                blocks.push_back(carried[a].second);
            out.push_back({m.direction, m.op, other, BlockSet::of(std::move(blocks)), m.channel});
        }
    }
    SchedulePtr between_;
    std::shared_ptr<const Units> units_;
};

}  // namespace

SchedulePtr expand_units(SchedulePtr between, std::shared_ptr<const Units> units) {
    return std::make_shared<ExpandedUnits>(std::move(between), std::move(units));
}

std::function<BlockSet(const BlockSet&)> shares(std::shared_ptr<const Units> units, int unit) {
    return [units = std::move(units), unit](const BlockSet& blocks) {
        std::vector<Run> out;
        for (int c = 0; c < units->count(); ++c)  // by unit, not by block: units are mostly ranges
                                                  // of ranks, so this is the order of the result
            for (const Run& run : blocks.runs()) {
                const auto [first, last] =
                    units->held(unit, static_cast<int>(run.lo), static_cast<int>(run.hi), c);
                for (int k = first; k < last;) {
                    const int owner = units->members(c)[static_cast<std::size_t>(k)],
                              n = std::min(last - k, units->until(owner) - owner);
                    out.push_back({owner, owner + n});
                    k += n;
                }
            }
        return BlockSet::of_runs(std::move(out));
    };
}

}  // namespace hopbine
