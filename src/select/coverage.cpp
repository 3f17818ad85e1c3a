#include "select/coverage.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace hopbine::select {

namespace {

constexpr std::size_t kDimensions = std::size(kConditions);
/// What rules that are kept together have in common.
struct Others {
    std::array<Range, kDimensions - 1> ranges;
    std::array<std::string, std::size(kTextConditions)> words;

    bool cover(const Others& later) const {
        for (std::size_t d = 0; d < ranges.size(); ++d)
            if (!ranges[d].holds(later.ranges[d])) return false;
        for (std::size_t w = 0; w < words.size(); ++w)
            if (!words[w].empty() && words[w] != later.words[w]) return false;
        return true;
    }
};

/// Ranges in one dimension of which none contains another: both ends ascend together.
class Stairs {
public:
    bool hold(const Range& r) const {
        const auto next = high_.upper_bound(r.low);
        return next != high_.begin() && std::prev(next)->second >= r.high;
    }
    void add(const Range& r) {
        if (hold(r)) return;
        auto at = high_.insert_or_assign(r.low, r.high).first;
        for (++at; at != high_.end() && at->second <= r.high;) at = high_.erase(at);
    }

private:
    std::map<std::int64_t, std::int64_t> high_;  // by low end
};

/// The rules of one collective seen so far. Rules with the same answer and equal in all but one
/// dimension are kept together.
class Seen {
public:
    /// Whether the rule is covered by one with another answer, or with any (`also_same`).
    bool cover(const Range& along, const Others& others, int answer, bool also_same) const {
        return std::ranges::any_of(alike_, [&](const Alike& a) {
            return (also_same || a.answer != answer) && a.stairs.hold(along) &&
                   a.others.cover(others);
        });
    }
    void add(const Range& along, const Others& others, int answer) {
        Key key{{}, others.words};
        for (std::size_t d = 0; d < others.ranges.size(); ++d)
            key.first[2 * d] = others.ranges[d].low, key.first[2 * d + 1] = others.ranges[d].high;
        key.first.back() = answer;
        const auto [at, fresh] = number_.emplace(std::move(key), alike_.size());
        if (fresh) alike_.push_back({others, answer, {}});
        alike_[at->second].stairs.add(along);
    }

private:
    struct Alike {
        Others others;
        int answer;
        Stairs stairs;
    };
    std::vector<Alike> alike_;
    using Key = std::pair<std::array<std::int64_t, 2 * kDimensions - 1>, decltype(Others::words)>;
    std::map<Key, std::size_t> number_;
};

/// The dimension in which the rules of each collective have the most different ranges.
std::array<std::size_t, kCollectives> widest(const std::vector<Rule>& rules) {
    std::array<std::array<std::set<std::pair<std::int64_t, std::int64_t>>, kDimensions>,
               kCollectives>
        different;
    for (const Rule& r : rules)
        for (std::size_t d = 0; d < kDimensions; ++d) {
            const Range& range = r.*kConditions[d].range;
            different[static_cast<std::size_t>(r.collective)][d].emplace(range.low, range.high);
        }
    std::array<std::size_t, kCollectives> out{};
    for (std::size_t c = 0; c < out.size(); ++c)
        for (std::size_t d = 1; d < kDimensions; ++d)
            if (different[c][d].size() > different[c][out[c]].size()) out[c] = d;
    return out;
}

/// A number that is equal for rules with the same algorithm and parameters, defaults included.
int answer_number(const Rule& r, std::map<std::string, int>& known) {
    std::string answer = kLibrary;
    if (r.algorithm != kLibrary)
        answer = text(r.algorithm, resolve(algorithm_named(r.collective, r.algorithm),
                                           {r.collective, 1, 0, r.parameters})
                                       .parameters);
    answer += '\n' + r.numbering;
    return known.emplace(answer, static_cast<int>(known.size())).first->second;
}

/// Calls `found(i)` for each covered rule, until it returns false.
template <class Found>
void walk(const std::vector<Rule>& rules, bool also_same, Found&& found) {
    const auto along = widest(rules);
    std::array<Seen, kCollectives> seen;
    std::map<std::string, int> known;
    for (std::size_t i = 0; i < rules.size(); ++i) {
        const Rule& r = rules[i];
        const auto c = static_cast<std::size_t>(r.collective);
        Others others;
        for (std::size_t d = 0, k = 0; d < kDimensions; ++d)
            if (d != along[c]) others.ranges[k++] = r.*kConditions[d].range;
        for (std::size_t w = 0; w < others.words.size(); ++w)
            others.words[w] = r.*kTextConditions[w].text;
        const Range& range = r.*kConditions[along[c]].range;
        const int answer = answer_number(r, known);
        if (seen[c].cover(range, others, answer, also_same) && !found(i)) return;
        seen[c].add(range, others, answer);
    }
}

}  // namespace

std::vector<const Rule*> covered(const std::vector<Rule>& rules) {
    std::vector<const Rule*> out(rules.size());
    walk(rules, true, [&](std::size_t i) {
        out[i] = &*std::ranges::find_if(rules, [&](const Rule& r) { return covers(r, rules[i]); });
        return true;
    });
    return out;
}

std::pair<const Rule*, const Rule*> contradiction(const std::vector<Rule>& rules) {
    std::pair<const Rule*, const Rule*> out{};
    walk(rules, false, [&](std::size_t i) {
        out = {&*std::ranges::find_if(
                   rules,
                   [&](const Rule& r) { return covers(r, rules[i]) && !same_answer(r, rules[i]); }),
               &rules[i]};
        return false;
    });
    return out;
}

}  // namespace hopbine::select
