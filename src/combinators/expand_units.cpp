#include "combinators/expand_units.hpp"

#include <algorithm>
#include <map>
#include <mutex>

namespace hopbine {

namespace {

/// The different sizes of units.
class UnitSizes {
public:
    explicit UnitSizes(const Units& units) {
        std::map<int, std::size_t> known;
        for (int u = 0; u < units.count(); ++u) {
            const auto [at, fresh] = known.emplace(units.size(u), first_.size());
            if (fresh) first_.push_back(u);
            of_.push_back(at->second);
        }
    }
    std::size_t count() const { return first_.size(); }
    /// Number of the size of a unit.
    std::size_t of(int unit) const { return of_[static_cast<std::size_t>(unit)]; }
    /// The first unit of a size.
    int first(std::size_t size) const { return first_[size]; }

private:
    std::vector<int> first_;
    std::vector<std::size_t> of_;
};

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
            between_->sizes(u, s, out);
            const auto i = static_cast<std::size_t>(units_->index(rank));
            for (std::size_t k = before; k < out.size(); ++k)
                out[k].peer = units_->members(out[k].peer)[i];
            return;
        }
        Step coarse;
        between_->moves(u, s, coarse);
        Counted counted;
        for (const Move& m : coarse) count(rank, m, counted, out);
    }

private:
    /// Memory of a count.
    struct Counted {
        std::vector<std::int64_t> units;                    ///< of each size
        std::vector<std::pair<int, std::int64_t>> carried;  ///< peer and blocks
    };
    /// Appends the sizes of the moves into which a move between units expands. The holders of
    /// blocks of units of one size are at the same places, so that one unit stands for all.
    void count(int rank, const Move& m, Counted& counted, MoveSizes& out) const {
        const int u = units_->of(rank), i = units_->index(rank);
        counted.units.assign(sizes_.count(), 0);
        counted.carried.clear();
        m.blocks.each([&](Block c) { ++counted.units[sizes_.of(static_cast<int>(c))]; });
        for (std::size_t size = 0; size < sizes_.count(); ++size) {
            if (counted.units[size] == 0) continue;
            const int c = sizes_.first(size);
            const auto [first, last] = units_->held(u, i, i + 1, c);
            for (int k = first; k < last; ++k)
                counted.carried.emplace_back(
                    units_->holder(m.peer, units_->members(c)[static_cast<std::size_t>(k)]),
                    counted.units[size]);
        }
        std::sort(counted.carried.begin(), counted.carried.end());
        const std::size_t before = out.size();
        for (const auto& [peer, n] : counted.carried)
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
        std::vector<std::int64_t> units(sizes.count(), 0);
        for (int c = 0; c < units_->count(); ++c) ++units[sizes.of(c)];
        before_.assign(static_cast<std::size_t>(units_->size(unit_)) + 1, 0);
        for (int i = 0; i <= units_->size(unit_); ++i)
            for (std::size_t size = 0; size < sizes.count(); ++size)
                before_[static_cast<std::size_t>(i)] +=
                    units[size] * units_->held(unit_, 0, i, sizes.first(size)).second;
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
