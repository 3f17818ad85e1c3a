#include "combinators/expand_units.hpp"

#include <algorithm>
#include <mutex>
#include <span>

#include "combinators/unit_sizes.hpp"

namespace hopbine {

namespace {

class ExpandedUnits : public Schedule {
public:
    ExpandedUnits(SchedulePtr between, std::shared_ptr<const Units> units)
        : Schedule(traits_of(between->traits())),
          between_(std::move(between)),
          units_(std::move(units)),
          sizes_(*units_) {}
    int steps() const override { return between_->steps(); }
    void moves(int rank, int s, Step& out) const override {
        Step coarse;
        between_->moves(units_->of(rank), s, coarse);
        for (const Move& m : coarse) expand(rank, m, out);
    }

protected:
    void count(int rank, int s, MoveSizes& out) const override {
        const int u = units_->of(rank);
        if (sizes_.count() == 1) {
            const std::size_t before = out.size();
            between_->sizes(u, s, Wire::packed, out);
            const auto i = static_cast<std::size_t>(units_->index(rank));
            for (std::size_t k = before; k < out.size(); ++k)
                out[k].peer = units_->members(out[k].peer)[i];
            return;
        }
        MoveSizes coarse;
        between_->sizes(u, s, Wire::packed, coarse);
        const auto carried = carried_units(u, s, coarse);
        for (std::size_t k = 0; k < coarse.size(); ++k)
            count(rank, coarse[k], std::span(carried).subspan(k * sizes_.count(), sizes_.count()),
                  out);
    }

private:
    /// [move][size] number of units of each size whose blocks unit u moves in step s, in moves of
    /// these sizes. Blocks of the commonest size are those that are of no other. They are counted
    /// one by one where that looks at fewer blocks.
    std::vector<std::int64_t> carried_units(int u, int s, const MoveSizes& coarse) const {
        const std::size_t sizes = sizes_.count();
        std::vector<std::int64_t> out(coarse.size() * sizes, 0), common;
        std::int64_t moved = 0;
        for (const MoveSize& m : coarse) moved += m.blocks;
        if (moved < sizes_.others() * static_cast<std::int64_t>(sizes)) {
            Step all;
            between_->moves(u, s, all);
            for (std::size_t k = 0; k < all.size(); ++k)
                all[k].blocks.each(
                    [&](Block c) { ++out[k * sizes + sizes_.of(static_cast<int>(c))]; });
            return out;
        }
        for (std::size_t k = 0; k < coarse.size(); ++k)
            out[k * sizes + sizes_.commonest()] = coarse[k].blocks;
        for (std::size_t size = 0; size < sizes; ++size) {
            if (size == sizes_.commonest()) continue;
            common.clear();
            between_->common(u, s, sizes_.units(size), common);
            for (std::size_t k = 0; k < coarse.size(); ++k) {
                out[k * sizes + size] = common[k];
                out[k * sizes + sizes_.commonest()] -= common[k];
            }
        }
        return out;
    }
    /// Appends the sizes of the moves into which a move between units expands, which carries
    /// `units[size]` units of each size. The holders of blocks of units of one size are at the same
    /// places, so that one unit stands for all.
    void count(int rank, const MoveSize& m, std::span<const std::int64_t> units,
               MoveSizes& out) const {
        const int u = units_->of(rank), i = units_->index(rank);
        std::vector<std::pair<int, std::int64_t>> carried;  // peer and blocks
        for (std::size_t size = 0; size < sizes_.count(); ++size) {
            if (units[size] == 0) continue;
            const int c = sizes_.first(size);
            const auto [first, last] = units_->held(u, i, i + 1, c);
            for (int k = first; k < last; ++k)
                carried.emplace_back(
                    units_->holder(m.peer, units_->members(c)[static_cast<std::size_t>(k)]),
                    units[size]);
        }
        std::sort(carried.begin(), carried.end());
        const std::size_t before = out.size();
        for (const auto& [peer, n] : carried)
            if (out.size() > before && out.back().peer == peer)
                out.back().blocks += n;
            else
                out.push_back({m.direction, m.op, peer, n});
    }
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
    UnitSizes sizes_;
};

}  // namespace

SchedulePtr expand_units(SchedulePtr between, std::shared_ptr<const Units> units) {
    return std::make_shared<ExpandedUnits>(std::move(between), std::move(units));
}

namespace {

/// The blocks that the members of a unit hold.
class Shares {
public:
    Shares(std::shared_ptr<const Units> units, int unit) : units_(std::move(units)), unit_(unit) {}

    BlockSet of(const BlockSet& members) const {
        std::vector<Run> out;
        for (int c = 0; c < units_->count(); ++c)  // by unit, not by block: units are mostly ranges
                                                   // of ranks, so this is the order of the result
            for (const Run& run : members.runs()) {
                const auto [first, last] =
                    units_->held(unit_, static_cast<int>(run.lo), static_cast<int>(run.hi), c);
                for (int k = first; k < last;) {
                    const int owner = units_->members(c)[static_cast<std::size_t>(k)],
                              n = std::min(last - k, units_->until(owner) - owner);
                    out.push_back({owner, owner + n});
                    k += n;
                }
            }
        return BlockSet::of_runs(std::move(out));
    }

    std::int64_t count(const BlockSet& members) const {
        std::call_once(counted_, [this] { count_before(); });
        std::int64_t n = 0;
        for (const Run& run : members.runs())
            n += before_[static_cast<std::size_t>(run.hi)] -
                 before_[static_cast<std::size_t>(run.lo)];
        return n;
    }

private:
    void count_before() const {
        const UnitSizes sizes(*units_);
        before_.assign(static_cast<std::size_t>(units_->size(unit_)) + 1, 0);
        for (int i = 0; i <= units_->size(unit_); ++i)
            for (std::size_t size = 0; size < sizes.count(); ++size)
                before_[static_cast<std::size_t>(i)] +=
                    sizes.times(size) * units_->held(unit_, 0, i, sizes.first(size)).second;
    }

    std::shared_ptr<const Units> units_;
    int unit_;
    mutable std::once_flag counted_;
    mutable std::vector<std::int64_t> before_;  ///< blocks that the members before each one hold
};

}  // namespace

BlockMap shares(std::shared_ptr<const Units> units, int unit) {
    const int each = units->even() ? units->count() : 0;
    const auto all = std::make_shared<const Shares>(std::move(units), unit);
    return {[all](const BlockSet& blocks) { return all->of(blocks); }, each,
            [all](const BlockSet& blocks) { return all->count(blocks); }};
}

}  // namespace hopbine
