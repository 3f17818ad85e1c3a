#include "select/rules.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "schedule/bounds.hpp"
#include "schedule/parts_of.hpp"

namespace hopbine::select {

namespace {

/// Whether a parameter of the rule's algorithm is a number of bytes.
bool is_of_bytes(const Rule& r, std::string_view name) {
    if (r.algorithm == kLibrary) return false;
    return std::ranges::any_of(
        algorithm_named(r.collective, r.algorithm).parameters,
        [&](const Parameter& one) { return one.name == name && one.kind == Kind::bytes; });
}

/// Parses "k=4", and "segment=128KiB" where the parameter is a number of bytes.
std::pair<std::string, std::int64_t> parse_parameter(const Rule& r, const std::string& text) {
    static constexpr std::pair<std::string_view, int> kUnits[] = {
        {"", 0}, {"B", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}};
    const auto equals = text.find('=');
    const std::string name = text.substr(0, equals);
    std::int64_t value = 0;
    if (equals != std::string::npos) {
        const char* const end = text.data() + text.size();
        const auto [stop, wrong] = std::from_chars(text.data() + equals + 1, end, value);
        const std::string_view suffix(stop, end);
        const auto* const unit =
            std::ranges::find(kUnits, suffix, &std::pair<std::string_view, int>::first);
        const bool known = wrong == std::errc() && unit != std::end(kUnits) &&
                           (suffix.empty() || is_of_bytes(r, name));
        const std::int64_t most =
            known ? std::numeric_limits<std::int64_t>::max() >> unit->second : -1;
        if (-most <= value && value <= most)
            return {name, value * (std::int64_t{1} << unit->second)};
    }
    throw Error("'" + shown(text) + "' is not PARAMETER=INTEGER");
}

Rule parse_one(const std::string& part) {
    const auto equals = part.find('=');
    if (equals == std::string::npos)
        throw Error("expected COLLECTIVE=ALGORITHM[:PARAMETER=VALUE...]");
    Rule r;
    r.collective = collective_named(part.substr(0, equals));
    const auto pieces = parts_of(part.substr(equals + 1), ':');
    if (pieces.empty() || pieces[0].empty()) throw Error("no algorithm is named");
    r.algorithm = pieces[0];
    for (std::size_t i = 1; i < pieces.size(); ++i)
        r.parameters.push_back(parse_parameter(r, pieces[i]));
    verify(r);
    return r;
}

std::string_view site_text(const Asked& call, std::string Site::* text) {
    return call.site ? std::string_view(call.site->*text) : std::string_view();
}

bool known_numbering(const std::string& name) {
    constexpr std::string_view kRotated = "rotated by ";
    return name.empty() || name == "given" || name == "by group" ||
           (name.starts_with(kRotated) && name.size() > kRotated.size() &&
            name.find_first_not_of("0123456789", kRotated.size()) == std::string::npos);
}

}  // namespace

const TextCondition kTextConditions[7] = {
    {"operands", &Rule::operands,
     [](const Asked& a) { return std::string_view(text(a.operands)); }},
    {"mpi", &Rule::mpi, [](const Asked& a) { return site_text(a, &Site::mpi); }},
    {"machine", &Rule::machine, [](const Asked& a) { return site_text(a, &Site::machine); }},
    {"processor", &Rule::processor, [](const Asked& a) { return site_text(a, &Site::processor); }},
    {"transport", &Rule::transport, [](const Asked& a) { return site_text(a, &Site::transport); }},
    {"cores", &Rule::cores, [](const Asked& a) { return site_text(a, &Site::cores); }},
    {"placement", &Rule::placement, [](const Asked& a) { return site_text(a, &Site::placement); }}};

void ask_for(Rule& r, const Site& site) {
    r.mpi = site.mpi;
    r.machine = site.machine;
    r.processor = site.processor;
    r.transport = site.transport;
    r.cores = site.cores;
    r.placement = site.placement;
}

const char* text(Operands o) {
    return o == Operands::in_order ? "in_order" : o == Operands::commute ? "commute" : "exact";
}

void verify(const Rule& r) {
    if (!r.operands.empty() && r.operands != "in_order" && r.operands != "commute" &&
        r.operands != "exact")
        throw Error("operands '" + shown(r.operands) + "' are not in_order, commute or exact");
    if (!known_numbering(r.numbering))
        throw Error("numbering '" + shown(r.numbering) +
                    "' is not given, by group, or rotated by N");
    if (r.algorithm == kLibrary) {
        if (!r.parameters.empty()) throw Error("'mpi' takes no parameters");
        if (!r.numbering.empty()) throw Error("'mpi' takes no numbering");
        return;
    }
    const Algorithm& a = algorithm_named(r.collective, r.algorithm);
    resolve(a, {r.collective, 1, 0, r.parameters});
}

Rules parse_algorithms(const std::string& text, const std::string& source) {
    if (text.size() > kMostSettingBytes)
        throw Error(source + ": '" + shown(text) + "' is longer than " +
                    std::to_string(kMostSettingBytes) + " bytes");
    Rules out;
    for (const std::string& part : parts_of(text, ',')) {
        try {
            if (parse_neighbors(part, &out.neighbors)) continue;
            out.rules.push_back(parse_one(part));
        } catch (const Error& e) {
            throw Error(source + ": '" + shown(part) + "': " + e.what());
        }
        out.rules.back().why = source;
    }
    return out;
}

std::string text(const Range& r) {
    std::string out = std::to_string(r.low) + "..";
    if (r.high != Range{}.high) out += std::to_string(r.high);
    return out;
}

std::string text(const std::string& algorithm, const Parameters& parameters) {
    std::string out = algorithm;
    for (const auto& [key, value] : parameters) out += ":" + key + "=" + std::to_string(value);
    return out;
}

std::string text(const Rule& r) {
    std::string out = std::string(name(r.collective)) + '=' + text(r.algorithm, r.parameters);
    for (const Condition& c : kConditions) ((out += ' ') += c.name) += ' ' + text(r.*c.range);
    for (const TextCondition& c : kTextConditions) out += '\n' + r.*c.text;
    return out + '\n' + r.numbering;
}

bool Rule::answers(const Asked& call) const {
    const auto holds = [&](const auto& c) { return c.holds(*this, call); };
    return collective == call.collective && std::ranges::all_of(kConditions, holds) &&
           std::ranges::all_of(kTextConditions, holds);
}

bool Rule::asks_places() const {
    return nodes != Range{} || ranks_per_node != Range{} || !placement.empty();
}

bool Rule::asks_more() const {
    return asks_places() || std::ranges::any_of(kTextConditions, [&](const TextCondition& c) {
               return !(this->*c.text).empty();
           });
}

std::string passed_over(const Rule& r, const Asked& call) {
    std::string out;
    if (r.collective != call.collective) return std::string("is about ") + name(r.collective);
    for (const Condition& c : kConditions)
        if (!c.holds(r, call))
            out += (out.empty() ? "" : ", ") + std::string(c.name) + ' ' +
                   (call.*c.value == kUnknown ? "unknown" : std::to_string(call.*c.value)) +
                   " outside " + text(r.*c.range);
    for (const TextCondition& c : kTextConditions)
        if (!c.holds(r, call)) {
            const std::string value(c.value(call));
            out += (out.empty() ? "" : ", ") + std::string(c.name) + ' ' +
                   (value.empty() ? "unknown" : value) + ", not " + r.*c.text;
        }
    return out;
}

bool covers(const Rule& earlier, const Rule& later) {
    return earlier.collective == later.collective &&
           std::ranges::all_of(
               kConditions,
               [&](const Condition& c) { return (earlier.*c.range).holds(later.*c.range); }) &&
           std::ranges::all_of(kTextConditions, [&](const TextCondition& c) {
               return (earlier.*c.text).empty() || earlier.*c.text == later.*c.text;
           });
}

bool same_answer(const Rule& a, const Rule& b) {
    if (a.collective != b.collective || a.algorithm != b.algorithm || a.numbering != b.numbering)
        return false;
    if (a.algorithm == kLibrary) return true;
    const Algorithm& one = algorithm_named(a.collective, a.algorithm);
    return resolve(one, {a.collective, 1, 0, a.parameters}).parameters ==
           resolve(one, {b.collective, 1, 0, b.parameters}).parameters;
}

Choice choose(const std::vector<const Rules*>& sources, const Asked& call) {
    const Collective c = call.collective;
    for (const Rules* source : sources)
        for (const Rule& r : source->rules) {
            if (!r.answers(call)) continue;
            if (r.algorithm == kLibrary) return {nullptr, {}, r.why, true, {}, {}, &r};
            const Algorithm* a = find(c, r.algorithm);
            std::string unfit;
            if (!a)
                unfit = std::string(name(c)) + " has no algorithm " + r.algorithm;
            else if (fits(*a, static_cast<int>(call.ranks), &unfit) &&
                     !serves(*a, call.operands, &unfit) && !source->skip_unfit &&
                     call.operands == Operands::commute)
                return {a, r.parameters, r.why, true, unfit, r.numbering, &r};
            if (unfit.empty()) return {a, r.parameters, r.why, true, r.notice, r.numbering, &r};
            if (!source->skip_unfit) return {nullptr, {}, r.why, true, unfit, {}, &r};
        }
    return {nullptr, {}, "no rule", false, {}, {}, nullptr};
}

bool by_size(const std::vector<const Rules*>& sources, Collective c, int p) {
    for (const Rules* source : sources)
        for (const Rule& r : source->rules) {
            if (r.collective != c || !r.ranks.holds(p)) continue;
            if (r.bytes.low > 0 || r.bytes.high < Range{}.high) return true;
            if (!source->skip_unfit && !r.asks_more()) return false;
        }
    return false;
}

bool library_only(const std::vector<const Rules*>& sources, Collective c, int p, bool rest) {
    for (const Rules* source : sources)
        for (const Rule& r : source->rules) {
            if (r.collective != c || !r.ranks.holds(p)) continue;
            if (r.algorithm != kLibrary) return false;
            if (r.answers_any_call()) return true;
        }
    return rest;
}

}  // namespace hopbine::select
