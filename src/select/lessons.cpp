#include "select/lessons.hpp"

#include <algorithm>
#include <map>

#include "select/coverage.hpp"

namespace hopbine::select {

namespace {

/// Everything that a rule asks but the bytes.
std::string other_conditions(const Rule& r) {
    Rule key{r.collective, kLibrary, {}, {}, r.ranks, {}, r.nodes, r.ranks_per_node};
    for (const TextCondition& c : kTextConditions) key.*c.text = r.*c.text;
    return text(key);
}

/// The part of a rule for some of its bytes.
Rule part(Rule r, std::int64_t low, std::int64_t high) {
    r.bytes = {low, high};
    std::erase_if(r.measured, [&](const auto& one) { return !r.bytes.holds(one.first); });
    return r;
}

/// Rules with the same other conditions, for different bytes.
class Sizes {
public:
    /// Adds a rule for the bytes that have none yet.
    void add(const Rule& r) {
        std::int64_t low = r.bytes.low;
        std::vector<Rule> fresh;
        for (const auto& [first, known] : by_low_) {
            if (known.bytes.high < low) continue;
            if (first > r.bytes.high) break;
            if (low < first) fresh.push_back(part(r, low, first - 1));
            if (known.bytes.high >= r.bytes.high) {
                low = -1;
                break;
            }
            low = known.bytes.high + 1;
        }
        if (low >= 0) fresh.push_back(part(r, low, r.bytes.high));
        for (Rule& one : fresh) by_low_.emplace(one.bytes.low, std::move(one));
    }
    /// The rules by ascending bytes; neighbours with the same answer are one.
    std::vector<Rule> joined() const {
        std::vector<Rule> out;
        for (const auto& [low, r] : by_low_)
            if (!out.empty() && out.back().bytes.high + 1 == low && same_answer(out.back(), r) &&
                out.back().note == r.note) {
                out.back().bytes.high = r.bytes.high;
                out.back().measured.insert(r.measured.begin(), r.measured.end());
            } else {
                out.push_back(r);
            }
        return out;
    }

private:
    std::map<std::int64_t, Rule> by_low_;
};

}  // namespace

std::vector<Rule> with_lessons(const std::vector<Rule>& old, const std::vector<Rule>& lessons) {
    std::vector<Sizes> changed;
    std::map<std::string, std::size_t> number;  // of the other conditions, in `changed`
    for (const Rule& r : lessons) {
        const auto [at, fresh] = number.emplace(other_conditions(r), changed.size());
        if (fresh) changed.emplace_back();
        changed[at->second].add(r);
    }
    std::vector<Rule> rest, out;
    for (const Rule& r : old)
        if (const auto at = number.find(other_conditions(r)); at != number.end())
            changed[at->second].add(r);
        else
            rest.push_back(r);
    for (const Sizes& sizes : changed)
        for (Rule& r : sizes.joined()) out.push_back(std::move(r));
    out.insert(out.end(), rest.begin(), rest.end());
    const auto earlier = covered(out);
    std::vector<Rule> kept;
    for (std::size_t i = 0; i < out.size() && kept.size() < kMostLearned; ++i)
        if (!earlier[i]) kept.push_back(std::move(out[i]));
    return kept;
}

std::vector<Rule> of_site(const std::vector<Rule>& rules, const Site& site, int ranks) {
    std::vector<Rule> out;
    for (const Rule& r : rules) {
        const Asked call{r.collective, ranks, 0, Operands::exact, 1, 1, &site};
        const auto may_hold = [&](const TextCondition& c) {
            return c.text == &Rule::operands || c.value(call).empty() || c.holds(r, call);
        };
        if (r.ranks.low <= ranks && std::ranges::all_of(kTextConditions, may_hold))
            out.push_back(r);
    }
    return out;
}

}  // namespace hopbine::select
