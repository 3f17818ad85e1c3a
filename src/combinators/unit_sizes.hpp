/// The different sizes of units, and the units of each size. The holders of blocks of units of one
/// size are at the same places (Units::holder), so that one unit stands for all in a count.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "schedule/block_set.hpp"
#include "schedule/placement.hpp"

namespace hopbine {

class UnitSizes {
public:
    explicit UnitSizes(const Units& units) : of_(static_cast<std::size_t>(units.count())) {
        std::map<int, std::vector<Block>> known;
        for (int u = 0; u < units.count(); ++u) known[units.size(u)].push_back(u);
        for (auto& [size, all] : known) {
            for (Block u : all) of_[static_cast<std::size_t>(u)] = units_.size();
            units_.push_back(BlockSet::of(std::move(all)));
            if (times(count() - 1) > times(commonest_)) commonest_ = count() - 1;
        }
    }
    /// Number of different sizes.
    std::size_t count() const { return units_.size(); }
    /// Number of the size of a unit, below count().
    std::size_t of(int unit) const { return of_[static_cast<std::size_t>(unit)]; }
    /// The units of a size, the first of them, and their number.
    const BlockSet& units(std::size_t size) const { return units_[size]; }
    int first(std::size_t size) const { return static_cast<int>(units_[size].runs().front().lo); }
    std::int64_t times(std::size_t size) const { return units_[size].size(); }
    /// The size that most units have, and the number of units of other sizes.
    std::size_t commonest() const { return commonest_; }
    std::int64_t others() const {
        return static_cast<std::int64_t>(of_.size()) - times(commonest_);
    }

private:
    std::vector<BlockSet> units_;
    std::vector<std::size_t> of_;
    std::size_t commonest_ = 0;
};

}  // namespace hopbine
