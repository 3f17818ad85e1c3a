#include "schedule/algorithm.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <string_view>

#include "schedule/bounds.hpp"
#include "schedule/integers.hpp"
#include "schedule/near_names.hpp"

namespace hopbine {

const char* text(Ranks r) {
    switch (r) {
    case Ranks::any: return "any";
    case Ranks::even: return "even";
    case Ranks::power_of_two: return "power of two";
    }
    return "";
}

const char* name(Kind k) {
    static constexpr const char* kNames[] = {"radix", "batch", "segments", "bytes",
                                             "ports", "flag",  "published"};
    return kNames[static_cast<int>(k)];
}

std::vector<std::int64_t> Parameter::probes() const {
    std::vector<std::int64_t> out{fallback}, others;
    if (kind == Kind::ports)
        others = {0, 1, 3};
    else if (high - low < 8)
        for (std::int64_t v = low; v <= high; ++v) others.push_back(v);
    else if (kind == Kind::bytes)
        others = {low, 1, 64, 1 << 16};
    else if (kind == Kind::segments)
        others = {1, 2, 3, 7};
    else
        others = {0, 1, 2, 3, 5, 8, 64};
    for (std::int64_t v : others)
        if (low <= v && v <= high && std::find(out.begin(), out.end(), v) == out.end())
            out.push_back(v);
    return out;
}

void complete(Algorithm& a) {
    if (a.dual) {
        const Algorithm& original = *a.dual->original;
        for (const char* Algorithm::* text :
             {&Algorithm::name, &Algorithm::summary, &Algorithm::paper, &Algorithm::section,
              &Algorithm::note})
            if (!(a.*text)) a.*text = original.*text;
        a.ranks = original.ranks;
        a.parameters = original.parameters;
        a.follows_placement = original.follows_placement;
        a.follows_shape = original.follows_shape;
        a.segments_differ = original.segments_differ;
        a.beside_computation = original.beside_computation;
        a.by_name_only = original.by_name_only;
        a.refuses = original.refuses;
        a.claim = a.dual->claim;
        a.make = a.dual->make;
    }
    if (!a.note) a.note = "";
}

const Algorithm* find(Collective c, const std::string& name) {
    for (const Algorithm* a : algorithms())
        if (a->collective == c && name == a->name) return a;
    return nullptr;
}

const Algorithm& algorithm_named(Collective c, const std::string& wanted) {
    if (const Algorithm* a = find(c, wanted)) return *a;
    std::vector<std::string> names;
    for (const Algorithm* a : algorithms())
        if (a->collective == c) names.emplace_back(a->name);
    throw Error("unknown algorithm '" + shown(wanted) + "' for " + name(c) +
                " (known: " + listed(names) + ")" + is_meant(wanted, names));
}

bool fits(const Algorithm& a, int p, std::string* why) {
    const bool ok =
        a.ranks == Ranks::any || p == 1 || (a.ranks == Ranks::even ? p % 2 == 0 : power_of_two(p));
    if (!ok && why)
        *why = std::string(name(a.collective)) + " " + a.name + " serves p " + text(a.ranks) +
               ", not p = " + std::to_string(p);
    return ok;
}

bool serves(const Algorithm& a, Operands operands, std::string* why) {
    const char* needs = a.needs_commutative && operands == Operands::in_order
                            ? "needs an operation that commutes"
                        : !a.bitwise_reproducible && operands != Operands::exact
                            ? "adds in another order on every rank: results that are rounded may "
                              "differ in the last bits from rank to rank"
                            : nullptr;
    if (needs && why) *why = std::string(name(a.collective)) + ' ' + a.name + ' ' + needs;
    return !needs;
}

int published(const Algorithm& a) {
    const std::string_view paper = a.paper;
    constexpr int kLast = 9999, kCentury = 50;
    const auto year_after = [&](std::string_view mark) {
        const std::size_t at = paper.find(mark);
        int year = kLast;
        if (at == paper.npos) return kLast;
        const char* const digits = paper.data() + at + mark.size();
        if (std::from_chars(digits, std::min(digits + 2, paper.data() + paper.size()), year).ec !=
            std::errc())
            return kLast;
        return year + (year < kCentury ? 2000 : 1900);
    };
    return std::min(year_after("'"), year_after("arXiv:"));
}

namespace {

constexpr std::int64_t kMostBytes = std::int64_t{1} << 62;  // the largest power of two

void require_ranks(const Algorithm& a, const Problem& given) {
    if (given.p < 1)
        throw Error("p = " + std::to_string(given.p) + " is not a number of ranks (at least 1)");
    if (given.p > kMostRanks)
        throw Error("p = " + std::to_string(given.p) + " is more than " +
                    std::to_string(kMostRanks) + " ranks");
    std::string why;
    if (!fits(a, given.p, &why)) throw Error(why);
    const int roots = rooted(a.collective) ? given.p : 1;
    if (given.root < 0 || given.root >= roots)
        throw Error(
            "root " + std::to_string(given.root) + " is outside 0.." + std::to_string(roots - 1) +
            (rooted(a.collective) ? "" : std::string(": ") + name(a.collective) + " has no root"));
    if (given.placement) validate(*given.placement, given.p);
}

/// The given shape, or one dimension if none is given.
std::vector<int> shape_of(const Problem& given) {
    if (given.shape.empty()) return {given.p};
    if (given.shape.size() > kMostDimensions)
        throw Error("a shape of " + std::to_string(given.shape.size()) +
                    " dimensions has more than " + std::to_string(kMostDimensions));
    std::int64_t ranks = 1;
    for (int n : given.shape) ranks = n < 1 || ranks > given.p ? 0 : ranks * n;
    if (ranks == given.p) return given.shape;
    std::string shape;
    for (int n : given.shape) shape += (shape.empty() ? "" : "x") + std::to_string(n);
    throw Error("shape " + shape + " does not hold p = " + std::to_string(given.p) + " ranks");
}

[[noreturn]] void refuse_parameter(const Algorithm& a, const std::string& key) {
    std::vector<std::string> names;
    for (const Parameter& q : a.parameters) names.emplace_back(q.name);
    throw Error(std::string(name(a.collective)) + " " + a.name + " has no parameter '" +
                shown(key) + "' (it has: " + listed(names) + ")" + is_meant(key, names));
}

/// All parameters in the order of the record, with defaults for those not given.
Parameters parameters_of(const Algorithm& a, const Parameters& given) {
    Parameters out;
    for (const Parameter& q : a.parameters) out.emplace_back(q.name, q.fallback);
    for (const auto& [key, value] : given) {
        const auto q = std::ranges::find_if(
            a.parameters, [&key = key](const Parameter& one) { return key == one.name; });
        if (q == a.parameters.end()) refuse_parameter(a, key);
        if (value < q->low || value > q->high)
            throw Error(std::string(a.name) + ":" + key + "=" + std::to_string(value) +
                        " is outside " + std::to_string(q->low) + ".." + std::to_string(q->high));
        out[static_cast<std::size_t>(q - a.parameters.begin())].second = value;
    }
    return out;
}

}  // namespace

std::int64_t schedule_bytes(const Algorithm& a, const Parameters& given, std::int64_t bytes) {
    for (const auto& [key, value] : given)
        for (const Parameter& q : a.parameters)
            if (q.kind == Kind::bytes && key == q.name && value > 0 && bytes > 0)
                return static_cast<std::int64_t>(
                    std::bit_ceil(static_cast<std::uint64_t>(std::min(bytes, kMostBytes))));
    return 0;
}

Problem resolve(const Algorithm& a, Problem given) {
    require_ranks(a, given);
    Problem out{a.collective,    given.p,        given.root, parameters_of(a, given.parameters),
                given.placement, shape_of(given)};
    out.bytes = schedule_bytes(a, out.parameters, given.bytes);
    if (a.refuses)
        if (const std::string no = a.refuses(out); !no.empty())
            throw Error(std::string(name(a.collective)) + " " + a.name +
                        " does not fit the shape: " + no);
    return out;
}

SchedulePtr schedule(const Algorithm& a, const Problem& given) { return a.make(resolve(a, given)); }

}  // namespace hopbine
